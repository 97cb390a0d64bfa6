import * as z from 'zod';
import type { SandboxButton } from '../network-world.ts';
import { rejectParameter } from './api.ts';

export const templateSchema = z.object({ type: z.literal('template'), payload: z.unknown() });

const title = z.string().min(1).max(20);
const buttonSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('web_url'),
    title,
    url: z.url({ protocol: /^https?$/ }),
  }),
  z.strictObject({ type: z.literal('postback'), title, payload: z.string().min(1).max(1_000) }),
]);
const payloadSchema = z.strictObject({
  template_type: z.literal('button'),
  text: z.string().min(1).max(640),
  buttons: z.array(buttonSchema).min(1).max(3),
});

/** Returns the text and the buttons of a button template. Rejects what Meta rejects. */
export function readTemplate(payload: unknown): {
  readonly text: string;
  readonly buttons: readonly SandboxButton[];
} {
  const template = payloadSchema.safeParse(payload);

  if (!template.success) {
    const [issue] = template.error.issues;
    const name = ['attachment', 'payload', ...(issue?.path ?? [])].join('.');

    return rejectParameter(`Invalid param message.${name}: ${issue?.message}`);
  }

  const { text, buttons } = template.data;

  return {
    text,
    buttons: buttons.map((button) =>
      button.type === 'web_url'
        ? { label: button.title, url: button.url, reply: null }
        : { label: button.title, url: null, reply: button.payload },
    ),
  };
}
