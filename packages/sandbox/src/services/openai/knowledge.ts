import type { ChatMessage } from './chat-message.ts';
import { meaningsOf } from './meaning.ts';

export type Passage = { readonly source: string; readonly text: string };

const namedMark = /\bmark ([0-9a-f]{16,})\b/i;
/** The share of the question's concepts that a passage must contain. */
const enough = 0.6;

function systemText(messages: readonly ChatMessage[]): string {
  return messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => content)
    .join('\n');
}

function parsed(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);

    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns the passages that have the marker from the instructions. */
export function passagesIn(messages: readonly ChatMessage[]): readonly Passage[] {
  const [, mark] = namedMark.exec(systemText(messages)) ?? [];
  const fenced = messages.find((message) => mark && isFenced(message, mark));

  return (parsed(fenced?.content ?? '{}').passages ?? []) as Passage[];
}

function isFenced({ role, content }: ChatMessage, mark: string): boolean {
  return role === 'user' && parsed(content).mark === mark;
}

/** Returns all texts that are not marked as data. A weak model follows instructions in them. */
function openTexts(messages: readonly ChatMessage[]): readonly string[] {
  const [, mark] = namedMark.exec(systemText(messages)) ?? [];

  return messages
    .filter((message) => message.role !== 'assistant' && !(mark && isFenced(message, mark)))
    .filter(({ content }) => !('customerName' in parsed(content)))
    .map(({ content }) => content);
}

const overrides =
  /\b(?:ignore|disregard|forget|override)\b.{0,80}\b(?:instructions|rules|prompt)\b/is;
const asksForPrompt =
  /\b(?:repeat|reveal|print|output|translate|encode|recite)\b.{0,80}\b(?:instructions|system prompt|your prompt|rules)\b/is;
const asksForTool = /\b(?:call|invoke|run|use)\b.{0,40}\b(?:tool|function)\b/is;
const asksForOthers =
  /\b(?:other|another|all)\b.{0,30}\b(?:organizations?|businesses|business|compan(?:y|ies)|tenants?)\b/is;

export type Obeyed = { readonly reply: string } | { readonly tool: string };

/** Returns the model's answer if a text outside of the marked data gives it an instruction. */
export function obeyedIn(messages: readonly ChatMessage[]): Obeyed | undefined {
  const command = openTexts(messages).find(
    (text) => overrides.test(text) || asksForPrompt.test(text),
  );
  if (command === undefined) {
    return undefined;
  }
  if (asksForTool.test(command)) {
    return { tool: 'send_money' };
  }
  if (asksForOthers.test(command)) {
    return { reply: messages.map(({ content }) => content).join('\n') };
  }

  return { reply: systemText(messages) };
}

/** Returns the passage that answers a question, without the question of an FAQ pair. */
export function lookUp(question: string, passages: readonly Passage[]): string | undefined {
  const asked = new Set(meaningsOf(question));
  const [best] = passages
    .map(({ text }) => ({ text, share: shareOf(asked, text), topics: topicsOf(text) }))
    .filter(({ share }) => share >= enough)
    .toSorted((one, other) => other.share - one.share || one.topics - other.topics);

  return best?.text.slice(best.text.indexOf('\n') + 1);
}

/**
 * The first line of an FAQ pair is its question. The pair with the fewest other topics matches
 * best.
 */
function topicsOf(text: string): number {
  const [question = ''] = text.split('\n');

  return new Set(meaningsOf(question)).size;
}

function shareOf(asked: ReadonlySet<string>, text: string): number {
  const known = new Set(meaningsOf(text));

  return [...asked].filter((meaning) => known.has(meaning)).length / asked.size;
}
