import { endpoint } from '#lib/http/endpoint.ts';
import {
  requireOwnInvitation,
  declineInvitation as turnDown,
} from '#lib/organizations/invitations.ts';
import { declineInvitation } from '#schemas/organizations.ts';

export const handler = endpoint(
  declineInvitation,
  async ({ caller, body, once }) => {
    await once((alongside) => turnDown(caller.userId, body.token, alongside));

    return { message: 'Invitation declined successfully' };
  },
  { ahead: ({ userId, body }) => requireOwnInvitation(userId, body.token) },
);
