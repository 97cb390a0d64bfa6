import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createLiveTicket } from '#lib/platform/live/live-tickets.ts';
import * as contracts from '#schemas/live.ts';

export const handler = endpoint(contracts.createLiveTicket, ({ organizationId, caller }) =>
  createLiveTicket({
    organizationId,
    userId: caller.userId,
    sessionId: caller.sessionId,
    keyHash: caller.apiKey?.keyHash,
  }),
);
