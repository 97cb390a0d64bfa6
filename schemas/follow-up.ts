import { publicText } from './common.ts';
import * as z from './zod.ts';

/**
 * One hour less than the shortest reply window, so that a follow-up can still be sent within it.
 */
const maxAfterMinutes = 23 * 60;
const maxTextLength = 1_000;

/** One more message to a customer after the agent's first answer. */
export const newFollowUp = z.object({
  afterMinutes: z.int().min(1).max(maxAfterMinutes).meta({ example: 120 }),
  text: publicText({ max: maxTextLength, example: 'Do you have any questions?' }),
  unless: z.enum(['CLICKED', 'REPLIED']).meta({ example: 'REPLIED' }),
});

export const followUp = newFollowUp.meta({ id: 'CampaignFollowUp' });
