/** Differences between models that affect requests. */
export type ModelTraits = {
  readonly acceptsTemperature: boolean;
  /** The lowest effort that a reasoning model accepts, because replies must be quick. */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low';
  /**
   * The number of reasoning tokens that the model may use. They count towards the answer's token
   * limit.
   */
  readonly reasoningTokens: number;
};

/** Enough for the lowest effort of models that always reason. */
const reasoningTokens = 4_000;

/**
 * Model families by name. The first match applies. Models that reason reject a temperature, so
 * reasoning models get none. Other names belong to GPT-4 and compatible servers.
 */
const families: ReadonlyArray<readonly [RegExp, ModelTraits]> = [
  [/^gpt-5(?:\.\d+)?-chat/, { acceptsTemperature: false, reasoningTokens: 0 }],
  [/^gpt-5(?:-|$)/, { acceptsTemperature: false, reasoningEffort: 'minimal', reasoningTokens }],
  [/^o\d/, { acceptsTemperature: false, reasoningEffort: 'low', reasoningTokens }],
  [
    /^gpt-(?:5\.|[6-9]|\d\d)/,
    { acceptsTemperature: false, reasoningEffort: 'none', reasoningTokens: 0 },
  ],
];

export function traitsOf(model: string): ModelTraits {
  const family = families.find(([name]) => name.test(model));

  return family?.[1] ?? { acceptsTemperature: true, reasoningTokens: 0 };
}

/**
 * Shutdown dates of models from OpenAI's list of November 24, 2026
 * (https://developers.openai.com/api/docs/deprecations). The list has no date for our default,
 * gpt-6-luna. Generally available models get six months' notice.
 */
const shutdownDates: Readonly<Record<string, string>> = {
  'gpt-4o': '2027-01-14',
  'gpt-4o-mini': '2027-01-14',
  'gpt-4.1': '2027-01-14',
  'gpt-4.1-mini': '2027-01-14',
  'gpt-4.1-nano': '2026-10-23',
  'gpt-5': '2026-12-11',
  'gpt-5-mini': '2026-12-11',
  'gpt-5-nano': '2026-12-11',
  'gpt-5.1': '2027-04-01',
  o1: '2026-10-23',
  o3: '2026-12-11',
  'o3-mini': '2026-10-23',
  'o4-mini': '2026-10-23',
};

/** Returns the announced shutdown date of a model or its dated snapshot, as YYYY-MM-DD. */
export function shutdownDateOf(model: string): string | undefined {
  const name = model.replace(/-\d{4}-\d{2}-\d{2}$/, '');

  return Object.hasOwn(shutdownDates, name) ? shutdownDates[name] : undefined;
}
