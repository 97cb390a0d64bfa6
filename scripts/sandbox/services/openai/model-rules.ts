export type ModelRequest = {
  readonly model: string;
  readonly temperature?: number | undefined;
  readonly reasoning_effort?: string | undefined;
};

export type Refusal = {
  readonly text: string;
  readonly param: string;
  readonly code: string | null;
};

/**
 * The efforts of each family of reasoning models, lowest first, and the default. Other models take
 * no effort. As measured in https://github.com/experientiallabs/experiential/issues/764.
 */
const families: ReadonlyArray<readonly [RegExp, readonly string[], string]> = [
  [/^gpt-5(?:-mini|-nano)?(?:-\d{4}|$)/, ['minimal', 'low', 'medium', 'high'], 'medium'],
  [/^o\d/, ['low', 'medium', 'high'], 'medium'],
  [/^gpt-5\.1(?:-\d{4}|$)/, ['none', 'low', 'medium', 'high'], 'none'],
  [/^gpt-5\.[2-5]/, ['none', 'low', 'medium', 'high', 'xhigh'], 'none'],
  [/^gpt-5\.[6-9]/, ['none', 'low', 'medium', 'high', 'xhigh', 'max'], 'medium'],
  [/^gpt-[6-9]/, ['none', 'low', 'medium', 'high', 'xhigh', 'max'], 'medium'],
];

/** What a model thinks before a short answer. The default effort is more than a small limit. */
const tokensOfEffort: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 64,
  low: 256,
  medium: 1_024,
  high: 4_096,
  xhigh: 8_192,
  max: 16_384,
};

function familyOf(model: string) {
  const [, efforts, standard = ''] = families.find(([name]) => name.test(model)) ?? [];

  return efforts && { efforts, standard };
}

function effortOf({ model, reasoning_effort: effort }: ModelRequest): string {
  return effort ?? familyOf(model)?.standard ?? 'none';
}

/** Returns why the vendor rejects the parameters for this model, if it does. */
export function refusalOf(request: ModelRequest): Refusal | undefined {
  const { model, temperature = 1, reasoning_effort: effort } = request;
  const family = familyOf(model);
  if (!family) {
    return effort === undefined
      ? undefined
      : {
          text: 'Unrecognized request argument supplied: reasoning_effort',
          param: 'reasoning_effort',
          code: null,
        };
  }
  if (effort !== undefined && !family.efforts.includes(effort)) {
    const supported = family.efforts.map((one) => `'${one}'`).join(', ');

    return {
      text: `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${supported}.`,
      param: 'reasoning_effort',
      code: 'unsupported_value',
    };
  }
  if (effortOf(request) !== 'none' && temperature !== 1) {
    return {
      text: `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      param: 'temperature',
      code: 'unsupported_value',
    };
  }

  return undefined;
}

/** Returns the tokens that the model spends on thinking. */
export function reasoningTokensOf(request: ModelRequest): number {
  return tokensOfEffort[effortOf(request)] ?? 0;
}
