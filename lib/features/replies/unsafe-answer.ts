import { linkedHosts, namedHosts, namedSites } from '#lib/platform/web-hosts.ts';

/** Longer runs are no coincidence. */
const repeatedCharacters = 80;

/** What an answer was made from, in addition to its instructions. */
export type AnswerSources = {
  /** Texts of the business. */
  readonly ownTexts?: readonly string[];
  /** Texts that may be those of other customers. */
  readonly questions?: readonly string[];
  /** The texts of the answered customer. */
  readonly customerTexts?: readonly string[];
};

/**
 * Returns true if an AI answer must not be sent: it repeats its instructions, or it leads to a host
 * that none of the business's own texts names. A customer can make the AI do either.
 */
export function isUnsafeAnswer(
  answer: string,
  instructions: string,
  { ownTexts = [], questions = [], customerTexts = [] }: AnswerSources = {},
): boolean {
  const sources = { ownTexts: [instructions, ...ownTexts], questions, customerTexts };

  return repeats(answer, instructions) || leadsElsewhere(answer, sources);
}

/** Compares all windows of 80 characters, in time proportional to the length of both texts. */
function repeats(answer: string, instructions: string): boolean {
  const ofAnswer = new Set(windowsOf(answer));

  return ofAnswer.size > 0 && windowsOf(instructions).some((window) => ofAnswer.has(window));
}

/** Ignores case, whitespace and marks of Markdown, so that a reformatted copy is still one. */
function windowsOf(text: string): readonly string[] {
  const folded = text
    .toLowerCase()
    .replaceAll(/[*_`#~|>\\]+/gu, '')
    .replaceAll(/\s+/gu, ' ');
  const starts: number[] = [];
  let length = 0;
  for (const character of folded) {
    starts.push(length);
    length += character.length;
  }
  starts.push(length);

  return starts.slice(repeatedCharacters).map((end, index) => folded.slice(starts[index], end));
}

/**
 * A host that only a customer named must not even be named, because networks make a link of it. The
 * customer's own email address may be repeated to them.
 */
function leadsElsewhere(
  answer: string,
  { ownTexts, questions, customerTexts }: Required<AnswerSources>,
): boolean {
  const leadsTo = [
    ...linkedHosts(answer),
    ...shared(namedHosts(answer), hostsIn(questions)),
    ...shared(namedSites(answer), hostsIn(customerTexts)),
  ];
  if (leadsTo.length === 0) {
    return false;
  }
  const named = hostsIn(ownTexts);

  return leadsTo.some((host) => !named.has(host));
}

function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...some].filter((host) => others.has(host));
}

function hostsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => [...namedHosts(text)]));
}
