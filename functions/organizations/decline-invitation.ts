import {
  declineInvitation,
  requireOwnInvitation,
} from '#lib/features/organizations/invitations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.declineInvitation,
  async ({ caller, body, once }) => {
    await once((alongside) => declineInvitation(caller.userId, body.token, alongside));
  },
  { ahead: ({ userId, body }) => requireOwnInvitation(userId, body.token) },
);
