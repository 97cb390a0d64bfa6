import { deleteConnectLink as remove } from '#lib/features/social/oauth/connect-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteConnectLink } from '#schemas/connect-links.ts';

export const handler = endpoint(deleteConnectLink, ({ organizationId, caller, params }) =>
  remove(organizationId, caller.userId, params.link_id),
);
