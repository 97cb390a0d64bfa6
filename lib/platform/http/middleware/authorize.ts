import { forbidden, notFound, sessionInvalid } from '#lib/platform/errors/failures.ts';
import { checkIds } from '#lib/platform/http/path-ids.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { touchSession } from '#lib/platform/identity/activity.ts';
import { findCurrentMembership } from '#lib/platform/identity/current-organization.ts';
import { isSwitchedOn, type Membership } from '#lib/platform/identity/identity.ts';
import { ranksAtLeast } from '#lib/platform/identity/roles.ts';
import type { Access, Contract } from '#schemas/contract.ts';

/**
 * Checks, in this order: the session (401), the ids (400), the membership (404) and the role (403).
 * So callers without access learn nothing about what exists.
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
      if (access.kind === 'user') {
        selectOrganization(access, event, identity.membership);

        return;
      }
      const membership = identity.memberships
        ? await findCurrentMembership(identity.session, identity.memberships)
        : identity.membership;
      if (!membership) {
        throw notFound('Organization');
      }
      event.state.membership = membership;
      if (!(await isAllowed(access, membership))) {
        throw forbidden(access.refusal);
      }
    },
  };
}

function selectOrganization(
  { organization }: Extract<Access, { kind: 'user' }>,
  event: HttpEvent,
  membership: Membership | undefined,
): void {
  if (organization !== 'optional' || event.headers['x-organization-id'] === undefined) {
    return;
  }
  if (!membership) {
    throw notFound('Organization');
  }
  event.state.membership = membership;
}

type MemberAccess = Extract<Access, { kind: 'member' }>;

async function isAllowed(access: MemberAccess, membership: Membership): Promise<boolean> {
  const { lowestRole, unless } = access;
  if (ranksAtLeast(membership.role, lowestRole)) {
    return true;
  }

  return (
    unless !== undefined &&
    ranksAtLeast(membership.role, unless.lowestRole) &&
    (await isSwitchedOn(membership.organizationId, unless.setting))
  );
}
