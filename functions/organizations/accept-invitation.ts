import { acceptInvitation, requireOwnInvitation } from '#lib/features/organizations/invitations.ts';
import {
  presentOrganization,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.acceptInvitation,
  async ({ caller, body, once }) => {
    const { membership, ...joined } = await once((alongside) =>
      acceptInvitation(caller.userId, body.token, alongside),
    );
    const organization =
      joined.organization ?? (await requireOrganization(membership.organizationId));

    return { organization: presentOrganization(organization, membership.role) };
  },
  { ahead: ({ userId, body }) => requireOwnInvitation(userId, body.token) },
);
