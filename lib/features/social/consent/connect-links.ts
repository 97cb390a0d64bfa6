import { requireUser } from '#lib/features/accounts/users/users.ts';
import { countMailToStranger } from '#lib/features/organizations/mails-to-strangers.ts';
import {
  type Organization,
  planOrganizationExists,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { dayMs, epochSeconds, hourMs, now, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { type Alongside, create, put, remove, type Write, write } from '#lib/platform/db/write.ts';
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
import type { BodyOf } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';

export type ConnectLink = {
  readonly id: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly linkTokenHash: string;
  readonly createdById: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly usedAt?: string;
  /** The session that connected accounts. */
  readonly usedBy?: string;
};

type TokenClaim = { readonly organizationId: string; readonly linkId: string };

type CreatedLink = { readonly link: ConnectLink; readonly url: string };

type LinkRequest = BodyOf<typeof createContract>;

const defaultHours = 72;
/** For this long after its expiry, a link's page explains what happened to it. */
const explainedMs = 90 * dayMs;

const counterOf = (organizationId: string): Key => keys.counter(organizationId, 'CONNECT_LINKS');

/** Returns all links, newest first. */
export function listConnectLinks(organizationId: string): Promise<readonly ConnectLink[]> {
  return query<ConnectLink>(ranges.connectLinks(organizationId), { newestFirst: true });
}

/**
 * Creates a link, and mails it if an address is given. Its token is stored as a hash.
 *
 * @throws 409 if the quota is used up, 429 after too many mails to the address or by an unverified
 *   user.
 */
export async function createConnectLink(
  organizationId: string,
  userId: string,
  request: LinkRequest,
  counted: (states: readonly RateLimitState[]) => void,
  alongside: Alongside<CreatedLink>,
): Promise<CreatedLink> {
  const token = newOneTimeToken();
  const link = newLink(organizationId, userId, request, hashToken(token));
  const created = { link, url: `${config.publicBaseUrl}/connect/${token}` };
  const { email } = request;
  if (!email) {
    await write(...(await alongside(created)), ...planCreation(link));

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
    await write(...(await alongside(created)), mail, ...planCreation(link));

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

  return planMail(keys.organization(link.organizationId), mail);
}

function explainedUntil(expiresAt: string) {
  const seconds = (Date.parse(expiresAt) - now() + explainedMs) / 1_000;

  return { expiresAtSeconds: epochSeconds(Math.ceil(seconds)) };
}

function planCreation(link: ConnectLink): readonly Write[] {
  const { organizationId, id, platform, linkTokenHash, createdById, expiresAt } = link;
  const claim: TokenClaim = { organizationId, linkId: id };

  return [
    create(keys.connectLink(organizationId, id), link),
    create(keys.connectLinkToken(linkTokenHash), { ...claim, ...explainedUntil(expiresAt) }),
    planQuotaUse(counterOf(organizationId), 'connectLinks'),
    planOrganizationExists(organizationId),
    ...planAudit(organizationId, {
      action: 'connect_link.created',
      actorId: createdById,
      targetType: 'connect_link',
      targetId: id,
      details: { platform },
    }),
  ];
}

/** Ends a link. Accounts that it has connected stay. @throws 404 */
export async function deleteConnectLink(
  organizationId: string,
  actorId: string,
  linkId: string,
): Promise<void> {
  const key = keys.connectLink(organizationId, linkId);
  const { linkTokenHash, expiresAt } = requireFound(await get<ConnectLink>(key), 'Connect link');
  await write(
    remove(key, { refused: () => notFound('Connect link') }),
    put(keys.deletedConnectLink(organizationId, linkId), {
      linkTokenHash,
      ...explainedUntil(expiresAt),
    }),
    planQuotaRelease(counterOf(organizationId)),
    ...planAudit(organizationId, {
      action: 'connect_link.deleted',
      actorId,
      targetType: 'connect_link',
      targetId: linkId,
    }),
  );
}

/** `gone`: the link was used or deleted, or has expired. */
export type FoundLink =
  | { readonly state: 'open' | 'used'; readonly link: ConnectLink; readonly owner: Organization }
  | { readonly state: 'gone' | 'unknown' };

/** Finds the link that a token belongs to. */
export async function findLinkByToken(token: string): Promise<FoundLink> {
  const claim = await get<TokenClaim>(keys.connectLinkToken(hashToken(token)));
  if (!claim) {
    return { state: 'unknown' };
  }
  const { organizationId, linkId } = claim;
  const [found, organization] = await getMany<ConnectLink | Organization>([
    keys.connectLink(organizationId, linkId),
    keys.organization(organizationId),
  ]);
  const [link, owner] = [
    found as ConnectLink | undefined,
    organization as Organization | undefined,
  ];
  if (!owner || owner.deletedAt) {
    return { state: 'unknown' };
  }
  if (!link || (!link.usedAt && link.expiresAt <= timestamp())) {
    return { state: 'gone' };
  }

  return { state: link.usedAt ? 'used' : 'open', link, owner };
}
