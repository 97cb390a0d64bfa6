import type { ChatMessage } from './chat-message.ts';
import { lookUp, obeyedIn, passagesIn } from './knowledge.ts';

/** The part of a JSON schema that determines the answer. */
export type ObjectSchema = {
  readonly type: 'object';
  readonly properties: Readonly<
    Record<string, { readonly type?: string | readonly string[] | undefined }>
  >;
};

/** Phrases of customers who want to talk to a person. */
const asksForPerson = /\b(human|person|somebody real|real agent|representative)\b/i;
const hasWords = /[\p{L}\p{N}]/u;
const maxQuoted = 120;
const maxAnswer = 400;

function lastOf(messages: readonly ChatMessage[], role: string): string {
  return messages.findLast((message) => message.role === role)?.content ?? '';
}

/** Returns the company named in the system prompt: `You answer for Analytical Engines.` */
function companyIn(messages: readonly ChatMessage[]): string {
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => content)
    .join('\n');

  return (
    /\b(?:answer for|company(?: name)?[:=]?|on behalf of)\s+([^\n.,;]+)/i
      .exec(system)?.[1]
      ?.trim() ?? 'us'
  );
}

function replyTo(messages: readonly ChatMessage[]): string {
  const obeyed = obeyedIn(messages);
  if (obeyed && 'reply' in obeyed) {
    return obeyed.reply;
  }
  const text = lookUp(lastOf(messages, 'user'), passagesIn(messages));
  if (text !== undefined) {
    return [...text].slice(0, maxAnswer).join('');
  }
  const question = lastOf(messages, 'user').replaceAll(/\s+/g, ' ').trim();
  const quoted = [...question].slice(0, maxQuoted).join('');

  return `Thank you for your message to ${companyIn(messages)}. You wrote: "${quoted}". We are glad to help.`;
}

/** Returns the share of the question's words that the evaluated text contains, from 0 to 1. */
function overlap(messages: readonly ChatMessage[]): number {
  const words = new Set(
    lastOf(messages, 'user')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );

  return words.size === 0 ? 0.5 : Math.min(1, 0.6 + words.size / 100);
}

function fieldValue(name: string, type: string | undefined, messages: readonly ChatMessage[]) {
  const question = lastOf(messages, 'user');
  if (name === 'action') {
    if (asksForPerson.test(question)) {
      return 'HANDOFF';
    }

    return hasWords.test(question) ? 'REPLY' : 'IGNORE';
  }
  if (type === 'number' || type === 'integer') {
    return Number(overlap(messages).toFixed(2));
  }
  if (type === 'boolean') {
    return true;
  }

  return type === 'array' ? [] : replyTo(messages);
}

/**
 * Builds an answer from the system prompt, the knowledge and the last message only, so the same
 * input gets the same answer. The model follows instructions in messages, but not in the knowledge.
 * With a schema, the answer is an object that matches it. Booleans, such as `covered`, are true.
 * Configured fields replace generated ones.
 */
export function answerFor(
  messages: readonly ChatMessage[],
  schema: ObjectSchema | undefined,
  given: Readonly<Record<string, unknown>> = {},
): string {
  if (!schema) {
    return replyTo(messages);
  }
  const entries = Object.entries(schema.properties).map(
    ([name, { type }]) =>
      [name, given[name] ?? fieldValue(name, [type].flat()[0], messages)] as const,
  );

  return JSON.stringify(Object.fromEntries(entries));
}
