import { lookUpInvitation } from '#lib/features/organizations/invitations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(contracts.lookUpInvitation, ({ body }) =>
  lookUpInvitation(body.token),
);
