import { declineInvitation } from '#lib/features/organizations/invitations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.declineInvitation,
  async ({ caller, body, idempotently }) => {
    await idempotently((extraWrites) => declineInvitation(caller.userId, body.token, extraWrites));
  },
);
