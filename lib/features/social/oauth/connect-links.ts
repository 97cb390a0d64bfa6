import { countMailToStranger } from '#lib/features/organizations/mails-to-strangers.ts';
import { planMemberGrant } from '#lib/features/organizations/member-grants.ts';
import type { Actor } from '#lib/features/organizations/members.ts';
import {
  type Organization,
  planOrganizationExists,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { requireUser } from '#lib/features/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { hourMs, now, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { change, create, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { connectLinkMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import {
  giveBackAllowed,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { createConnectLink as createContract } from '#schemas/connect-links.ts';
import type { BodyOf, Role } from '#schemas/contract.ts';
import type { ConnectLink } from './connect-link.ts';
import { connectLinkCounter, explainedUntil, planLinkEnd } from './end-connect-links.ts';

type TokenClaim = { readonly organizationId: string; readonly linkId: string };

type CreatedLink = { readonly link: ConnectLink; readonly url: string };

type LinkRequest = BodyOf<typeof createContract>;

const defaultHours = 72;

/** A person needs one or two. Without a limit, anybody with the link could fill the table. */
export const maxSessions = 50;

/** Returns all links, newest first. */
export function listConnectLinks(organizationId: string): Promise<readonly ConnectLink[]> {
  return query<ConnectLink>(socialRanges.connectLinks(organizationId), { newestFirst: true });
}

/**
 * Creates a link, and mails it if an address is given. Stores only the hash of its token.
 *
 * @throws 409 if the quota is exceeded, 429 after too many mails to the address or by an unverified
 * user.
 */
export async function createConnectLink(
  organizationId: string,
  { userId, role }: Actor,
  request: LinkRequest,
  counted: (states: readonly RateLimitState[]) => void,
  extraWrites: ExtraWrites<CreatedLink>,
): Promise<CreatedLink> {
  const token = newOneTimeToken();
  const link = newLink(organizationId, userId, request, hashToken(token));
  const created = { link, url: `${config.publicBaseUrl}/connect/${token}` };
  const { email } = request;
  if (!email) {
    await write(...(await extraWrites(created)), ...planCreation(link, role));

    return created;
  }
  const [creator, { name }] = await Promise.all([
    requireUser(userId),
    requireOrganization(organizationId),
  ]);
  const limits = await countMailToStranger(creator, email);
  counted(limits);
  try {
    requireAllowed(limits);
    const mail = await planLinkMail(created, { to: email, organizationName: name });
    await write(...(await extraWrites(created)), mail, ...planCreation(link, role));

    return created;
  } catch (failure) {
    await giveBackAllowed(limits);
    throw failure;
  }
}

function newLink(
  organizationId: string,
  createdById: string,
  { platform, expiresInHours }: LinkRequest,
  linkTokenHash: string,
): ConnectLink {
  const nowMs = now();

  return {
    id: newId(),
    organizationId,
    platform,
    linkTokenHash,
    createdById,
    createdAt: timestamp(0, nowMs),
    expiresAt: timestamp((expiresInHours ?? defaultHours) * hourMs, nowMs),
  };
}

function planLinkMail(
  { link, url }: CreatedLink,
  receiver: { readonly to: string; readonly organizationName: string },
): Promise<Write> {
  const lifeMs = Date.parse(link.expiresAt) - Date.parse(link.createdAt);
  const mail = connectLinkMail({
    ...receiver,
    platformName: platformNames[link.platform],
    url,
    expiresInHours: lifeMs / hourMs,
  });

  return planMail(organizationKeys.organization(link.organizationId), mail);
}

function planCreation(link: ConnectLink, role: Role): readonly Write[] {
  const { organizationId, id, platform, linkTokenHash, createdById, expiresAt } = link;
  const claim: TokenClaim = { organizationId, linkId: id };

  return [
    create(socialKeys.connectLink(organizationId, id), link),
    create(socialKeys.connectLinkToken(linkTokenHash), { ...claim, ...explainedUntil(expiresAt) }),
    planQuotaUse(connectLinkCounter(organizationId), 'connectLinks'),
    planOrganizationExists(organizationId),
    planMemberGrant(organizationId, { userId: createdById, role }),
    ...planAudit(organizationId, {
      action: 'connect_link.created',
      actorId: createdById,
      targetId: id,
      details: { platform },
    }),
  ];
}

/**
 * Ends a link. Accounts that it has connected are kept.
 *
 * @throws 404
 */
export async function deleteConnectLink(
  organizationId: string,
  actorId: string,
  linkId: string,
): Promise<void> {
  const key = socialKeys.connectLink(organizationId, linkId);
  const link = requireFound(await get<ConnectLink>(key), 'Connect link');
  await write(
    ...planLinkEnd(link, { onConditionFailed: () => notFound('Connect link') }),
    planQuotaRelease(connectLinkCounter(organizationId)),
    ...planAudit(organizationId, {
      action: 'connect_link.deleted',
      actorId,
      targetId: linkId,
    }),
  );
}

/** Counts a session of the link. Returns false if the limit is reached. */
export function countSession({ organizationId, id }: ConnectLink): Promise<boolean> {
  return writeIfMet(
    change(socialKeys.connectLink(organizationId, id), {
      add: { startedSessions: 1 },
      when: either(absent('startedSessions'), below('startedSessions', maxSessions)),
    }),
  );
}

/** `gone`: the link was used or deleted, or has expired. */
export type FoundLink =
  | { readonly state: 'open' | 'used'; readonly link: ConnectLink; readonly owner: Organization }
  | { readonly state: 'gone' | 'unknown' };

/** Finds the link that a token belongs to. */
export async function findLinkByToken(token: string): Promise<FoundLink> {
  const claim = await get<TokenClaim>(socialKeys.connectLinkToken(hashToken(token)));
  if (!claim) {
    return { state: 'unknown' };
  }
  const { organizationId, linkId } = claim;
  const [found, organization] = await getMany<ConnectLink | Organization>([
    socialKeys.connectLink(organizationId, linkId),
    organizationKeys.organization(organizationId),
  ]);
  const [link, owner] = [
    found as ConnectLink | undefined,
    organization as Organization | undefined,
  ];
  if (!owner || owner.deletedAt || owner.suspendedAt) {
    return { state: 'unknown' };
  }
  if (!link || (!link.usedAt && link.expiresAt <= timestamp())) {
    return { state: 'gone' };
  }

  return { state: link.usedAt ? 'used' : 'open', link, owner };
}
