import { listConsents as readConsents } from '#lib/auth/consents.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listConsents } from '#schemas/auth.ts';

export const handler = endpoint(listConsents, async ({ caller }) => ({
  consents: await readConsents(caller.userId),
  message: 'Consents retrieved successfully',
}));
