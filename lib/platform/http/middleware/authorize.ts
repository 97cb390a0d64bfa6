import {
  forbidden,
  notFound,
  organizationSuspended,
  personRequired,
  sessionInvalid,
} from '#lib/platform/errors/failures.ts';
import { checkIds } from '#lib/platform/http/path-ids.ts';
import type { HttpEvent, HttpRequest, Middleware } from '#lib/platform/http/request.ts';
import { touchApiKey, touchSession } from '#lib/platform/identity/activity.ts';
import { findCurrentMembership } from '#lib/platform/identity/current-organization.ts';
import { type Identity, isSwitchedOn, type Membership } from '#lib/platform/identity/identity.ts';
import { type Access, acceptsAnonymous, type Contract, ranksAtLeast } from '#schemas/contract.ts';

/**
 * Checks, in this order: the session or API key (401), whether API keys are accepted (403), the ids
 * (400), the membership (404), a suspension (403) and the role (403). So callers without access
 * cannot find out what exists.
 */
export function authorize(contract: Contract): Middleware {
  return {
    before: async ({ event }: HttpRequest): Promise<void> => {
      const { access } = contract;
      const isAnonymous = event.state.identity === undefined;
      if (access.kind === 'public' || (isAnonymous && acceptsAnonymous(access))) {
        checkIds(contract, event);

        return;
      }
      if (access.kind === 'operator') {
        checkIds(contract, event);

        return;
      }
      const identity = await event.state.identity;
      checkCaller(access, event, identity);
      checkIds(contract, event);
      if (access.kind === 'user') {
        selectOrganization(access, event, identity?.membership);

        return;
      }
      const membership = await membershipOf(identity);
      if (!membership) {
        throw notFound('Organization');
      }
      event.state.membership = membership;
      if (membership.isSuspended && !access.whileSuspended) {
        throw organizationSuspended();
      }
      if (!(await isAllowed(access, membership))) {
        throw forbidden(access.refusal);
      }
    },
  };
}

function checkCaller(
  { peopleOnly }: Extract<Access, { kind: 'user' | 'member' }>,
  { state }: HttpEvent,
  identity: Identity | undefined,
): void {
  if (identity?.apiKey) {
    touchApiKey(state, identity.apiKey);
    if (peopleOnly) {
      throw personRequired();
    }
  } else if (identity?.session) {
    state.session = identity.session;
    touchSession(state, identity.session);
  } else {
    throw sessionInvalid();
  }
}

async function membershipOf(identity: Identity | undefined): Promise<Membership | undefined> {
  return identity?.session && identity.memberships
    ? findCurrentMembership(identity.session, identity.memberships)
    : identity?.membership;
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
  if (membership.isSuspended) {
    throw organizationSuspended();
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
