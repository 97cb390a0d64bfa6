import * as z from './zod.ts';

/**
 * The challenges that X and LinkedIn ask a webhook to sign, in the format that they send. The same
 * key signs deliveries, so the service must never sign any other text:
 * https://docs.x.com/x-api/webhooks/introduction
 * https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation
 */
export const crcToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,200}={0,2}$/)
  .meta({ example: 'challenge-of-x' });

export const challengeCode = z.uuid().meta({ example: '890e4665-4dfe-4ab1-b689-ed553bceeed0' });
