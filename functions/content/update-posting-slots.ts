import { replaceSlots } from '#lib/features/content/slots/posting-slots.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updatePostingSlots } from '#schemas/content-slots.ts';

export const handler = endpoint(updatePostingSlots, ({ organizationId, body }) =>
  replaceSlots(organizationId, body),
);
