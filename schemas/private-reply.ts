import { name, optional, orNull, publicText, webUrl } from './common.ts';
import * as z from './zod.ts';

/** Meta's limit for the text of a message with buttons. */
export const maxPrivateReplyLength = 640;
const maxButtons = 3;
const maxLabelLength = 20;
const maxTapLength = 1_000;

const text = publicText({ max: maxPrivateReplyLength, example: 'Here are our prices' });
const label = name({ max: maxLabelLength, example: 'See the prices' });
const url = webUrl.meta({ example: 'https://example.com/prices' });
const reply = publicText({ max: maxTapLength, example: 'Which engine is the cheapest?' });

const button = z
  .object({
    label,
    url: orNull(url),
    reply: orNull(reply).meta({ description: "The customer's message that a tap sends" }),
  })
  .meta({ id: 'MessageButton' });

/** A fixed private answer to a comment. It is sent without the AI. */
export const privateReply = z
  .object({ text, buttons: z.array(button) })
  .meta({ id: 'CampaignPrivateReply' });

const newButton = z
  .object({ label, url: optional(url), reply: optional(reply) })
  .refine((given) => Boolean(given.url) !== Boolean(given.reply), {
    error: 'must have exactly one of url and reply',
    when: ({ issues }) => !issues.some(({ path = [] }) => path[0] !== 'label'),
  })
  .meta({ example: { label: 'See the prices', url: 'https://example.com/prices' } });

export const newPrivateReply = z.object({
  text,
  buttons: optional(z.array(newButton).max(maxButtons)),
});
