export type ModelRequest = {
  readonly model: string;
  readonly temperature?: number | null | undefined;
  readonly top_p?: number | null | undefined;
  readonly max_tokens?: number | null | undefined;
  readonly presence_penalty?: number | null | undefined;
  readonly frequency_penalty?: number | null | undefined;
  readonly logit_bias?: object | null | undefined;
  readonly reasoning_effort?: string | null | undefined;
};

export type Refusal = {
  readonly text: string;
  readonly param: string | null;
  readonly code: string | null;
};

/**
 * The efforts of each family of reasoning models, lowest first, and the default. Other models have
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

/**
 * The reasoning tokens before a short answer. The default effort uses more than a small limit
 * allows.
 */
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

/** Reasoning models reject these parameters, whatever their effort. */
const neverSupported = [
  'max_tokens',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
] as const satisfies ReadonlyArray<keyof ModelRequest>;

function isDefault(value: unknown): boolean {
  return value === undefined || value === null || value === 0;
}

function unsupportedParameter(param: string): Refusal {
  const instead = param === 'max_tokens' ? " Use 'max_completion_tokens' instead." : '';
  const text = `Unsupported parameter: '${param}' is not supported with this model.${instead}`;

  return { text, param, code: 'unsupported_parameter' };
}

/** Returns the reason why the vendor rejects the parameters for this model, if it does. */
export function refusalOf(request: ModelRequest): Refusal | undefined {
  const { model, reasoning_effort: effort } = request;
  const temperature = request.temperature ?? 1;
  const family = familyOf(model);
  if (!family) {
    return effort === undefined || effort === null
      ? undefined
      : {
          text: 'Unrecognized request argument supplied: reasoning_effort',
          param: 'reasoning_effort',
          code: null,
        };
  }
  const unsupported = neverSupported.find((name) => !isDefault(request[name]));
  if (unsupported !== undefined) {
    return unsupportedParameter(unsupported);
  }
  if (effort !== undefined && effort !== null && !family.efforts.includes(effort)) {
    const supported = family.efforts.map((one) => `'${one}'`).join(', ');

    return {
      text: `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${supported}.`,
      param: 'reasoning_effort',
      code: 'unsupported_value',
    };
  }
  if (effortOf(request) === 'none') {
    return undefined;
  }
  if ((request.top_p ?? 1) !== 1) {
    return unsupportedParameter('top_p');
  }
  if (temperature !== 1) {
    return {
      text: `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      param: 'temperature',
      code: 'unsupported_value',
    };
  }

  return undefined;
}

/** Returns the number of tokens that the model uses for reasoning. */
export function reasoningTokensOf(request: ModelRequest): number {
  return tokensOfEffort[effortOf(request)] ?? 0;
}
