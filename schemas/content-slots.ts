import { id, optional, orNull, timeOfDay, timestamp, timezone, total } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

const socialAccountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const maxSlots = 100;

const slot = z.object({
  weekday: z.int().min(1).max(7).meta({ example: 1, description: '1 is Monday' }),
  time: timeOfDay('09:30'),
  socialAccountId: orNull(
    socialAccountId.meta({ example: null, description: 'Null: for every account' }),
  ),
});

const slots = z.array(slot).max(maxSlots);

export const getPostingSlots = contract({
  operationId: 'getPostingSlots',
  path: '/content/{organization_id}/slots',
  summary: 'Get the weekly posting slots',
  description:
    "Slots without a time zone use the organization's time zone. Slots of disconnected accounts are left out.",
  access: memberOfPath('VIEWER'),
  response: z.object({ timezone: z.string().meta({ example: 'Europe/Berlin' }), slots, total }),
  message: 'Posting slots retrieved successfully',
});

export const updatePostingSlots = contract({
  operationId: 'updatePostingSlots',
  method: 'PUT',
  path: '/content/{organization_id}/slots',
  summary: 'Replace the weekly posting slots',
  description:
    'Scheduled posts keep their times. Without `timezone`, the slots follow the time zone of the organization.',
  access: memberOfPath('MEMBER'),
  body: z.object({ timezone: optional(timezone), slots }),
  response: z.object({ timezone: z.string().meta({ example: 'Europe/Berlin' }), slots, total }),
  message: 'Posting slots updated successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});

export const getNextPostingSlot = contract({
  operationId: 'getNextPostingSlot',
  path: '/content/{organization_id}/slots/next',
  summary: "Get an account's next free posting slot",
  tool: true,
  description:
    'A slot is taken if the account has a scheduled post in that minute. Slots follow daylight saving time: a time that clocks skip moves later by the skipped time, and one that occurs twice counts once, the first time. Null if no slot is free within a year.',
  access: memberOfPath('VIEWER'),
  query: z.object({ socialAccountId }),
  response: z.object({
    slot: orNull(z.object({ at: timestamp('2035-01-15T09:30:00.000Z'), socialAccountId })),
  }),
  message: 'Next posting slot retrieved successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});
