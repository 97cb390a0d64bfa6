import { linkedHosts, namedHosts, namedSites } from '#lib/platform/web-hosts.ts';

/** Longer repetitions are no coincidence. */
const repeatedCharacters = 80;

/** The sources of an answer, in addition to its instructions. */
export type AnswerSources = {
  /** Texts that the business wrote. */
  readonly ownTexts?: readonly string[];
  /** Texts that other customers may have written. */
  readonly questions?: readonly string[];
  /** Texts that the answered customer wrote. */
  readonly customerTexts?: readonly string[];
};

/**
 * Returns true if an AI answer must not be sent: it repeats its instructions, or it links to a host
 * that none of the business's own texts contains. A customer can make the AI do either.
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

/** Ignores case, whitespace and Markdown markup, so that a reformatted copy still matches. */
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
 * A host that only a customer mentioned must not appear at all, because networks turn it into a
 * link. The customer's own email address may be repeated to them.
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
