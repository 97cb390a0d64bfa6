import { joinByInvitation } from '#lib/features/auth/join.ts';
import { passwordProblems } from '#lib/features/auth/weak-passwords.ts';
import { acceptInvitation } from '#lib/features/organizations/invitations.ts';
import {
  presentOrganization,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { signInCookies } from '#lib/platform/http/sign-in-cookies.ts';
import * as contracts from '#schemas/organizations.ts';

/**
 * Responds with 200 for a signed-in user. Without credentials, creates a user and responds with
 * 201.
 */
export const handler = endpoint(
  contracts.acceptInvitation,
  async (request) => {
    const { clientIp, userAgent, reply, idempotently } = request;
    if (!request.caller) {
      const { token, ...joined } = await idempotently((extraWrites) =>
        joinByInvitation(request.body, { clientIp, userAgent }, reply.rateLimits, extraWrites),
      );
      reply.cookies(...(await signInCookies(joined.user.id, token)));
      reply.created();

      return { ...joined, authToken: token };
    }
    const { userId } = request.caller;
    const { membership, ...joined } = await idempotently((extraWrites) =>
      acceptInvitation(userId, request.body.token, extraWrites),
    );
    const organization =
      joined.organization ?? (await requireOrganization(membership.organizationId));

    return { organization: presentOrganization(organization, membership.role) };
  },
  { rules: ({ body }) => passwordProblems('password', body.password, body) },
);
