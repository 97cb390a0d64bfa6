import { linkedHosts, namedHosts } from '#lib/platform/web-hosts.ts';

/** Longer runs are no coincidence. */
const repeatedCharacters = 80;

/**
 * Returns true if an AI answer must not be sent: it repeats its instructions, or it links to a host
 * that none of the business's own texts names. A customer can make the AI do either.
 */
export function isUnsafeAnswer(
  answer: string,
  instructions: string,
  otherTexts: readonly string[] = [],
): boolean {
  return repeats(answer, instructions) || linksElsewhere(answer, [instructions, ...otherTexts]);
}

/** Compares all windows of 80 characters, in time proportional to the length of both texts. */
function repeats(answer: string, instructions: string): boolean {
  const ofAnswer = new Set(windowsOf(answer));

  return ofAnswer.size > 0 && windowsOf(instructions).some((window) => ofAnswer.has(window));
}

/** Ignores case and the kind of whitespace, so that a reformatted copy is still one. */
function windowsOf(text: string): readonly string[] {
  const folded = text.toLowerCase().replaceAll(/\s+/gu, ' ');
  const starts: number[] = [];
  let length = 0;
  for (const character of folded) {
    starts.push(length);
    length += character.length;
  }
  starts.push(length);

  return starts.slice(repeatedCharacters).map((end, index) => folded.slice(starts[index], end));
}

function linksElsewhere(answer: string, ownTexts: readonly string[]): boolean {
  const linked = linkedHosts(answer);
  if (linked.size === 0) {
    return false;
  }
  const named = new Set(ownTexts.flatMap((text) => [...namedHosts(text)]));

  return [...linked].some((host) => !named.has(host));
}
