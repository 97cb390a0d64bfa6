import { text } from './common.ts';
import * as z from './zod.ts';

/**
 * The challenges that X and LinkedIn ask a webhook to sign, in their format. The same key signs
 * deliveries, so the service must never sign any other text:
 * https://docs.x.com/x-api/webhooks/introduction
 * https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation
 */
export const crcToken = text({ max: 202, example: 'challenge-of-x' }).check(
  z.regex(/^[A-Za-z0-9_-]{1,200}={0,2}$/),
);

export const challengeCode = z.uuid().meta({ example: '890e4665-4dfe-4ab1-b689-ed553bceeed0' });
