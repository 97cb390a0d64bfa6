import { listSlots } from '#lib/features/content/slots/posting-slots.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getPostingSlots } from '#schemas/content-slots.ts';

export const handler = endpoint(getPostingSlots, ({ organizationId }) => listSlots(organizationId));
