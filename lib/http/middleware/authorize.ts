import { forbidden, notFound, sessionInvalid } from '#lib/errors/failures.ts';
import { checkIds } from '#lib/http/path-ids.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/http/request.ts';
import { touchSession } from '#lib/identity/activity.ts';
import { findCurrentMembership } from '#lib/identity/current-organization.ts';
import type { Membership, Session } from '#lib/identity/identity.ts';
import { ranksAtLeast } from '#lib/identity/roles.ts';
import type { Contract } from '#schemas/contract.ts';

/**
 * In this order: a session (401), ids that are ids (400), membership (404), the role (403). So a
 * stranger learns nothing of what exists.
 */
export function authorize(contract: Contract): Middleware {
  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      const { access } = contract;
      if (access.kind === 'public') {
        checkIds(contract, event);

        return;
      }
      const identity = await event.state.identity;
      if (!identity?.session) {
        throw sessionInvalid();
      }
      event.state.session = identity.session;
      touchSession(event.state, identity.session);
      checkIds(contract, event);
      if (access.kind !== 'member') {
        return;
      }
      const membership = await membershipFor(
        contract,
        event,
        identity.session,
        identity.membership,
      );
      if (!membership) {
        throw notFound('Organization');
      }
      event.state.membership = membership;
      if (!ranksAtLeast(membership.role, access.lowestRole)) {
        throw forbidden(access.refusal);
      }
    },
  };
}

async function membershipFor(
  { access }: Contract,
  event: HttpEvent,
  session: Session,
  loaded: Membership | undefined,
): Promise<Membership | undefined> {
  const isNamed =
    (access.kind === 'member' && access.organization === 'path') ||
    event.headers['x-organization-id'] !== undefined;

  return isNamed ? loaded : findCurrentMembership(session);
}
