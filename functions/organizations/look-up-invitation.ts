import { lookUpInvitation } from '#lib/features/organizations/invitations.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = publicEndpoint(contracts.lookUpInvitation, ({ body }) =>
  lookUpInvitation(body.token),
);
