import { createSignInLink } from '#lib/features/operators/sign-in-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createPlatformSignInLink } from '#schemas/operators.ts';

export const handler = endpoint(createPlatformSignInLink, ({ params, body, idempotently }) =>
  idempotently((extraWrites) => createSignInLink(params.organization_id, body, extraWrites)),
);
