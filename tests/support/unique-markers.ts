import type { Campaign } from '#lib/features/campaigns/campaign.ts';
import { hasCampaignEnded } from '#lib/features/campaigns/campaign.ts';
import { keywordKey as campaignKeywordKey } from '#lib/features/campaigns/keyword-claims.ts';
import { postKeywordKey } from '#lib/features/content/posts/post-writes.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import type { Item } from './table.ts';

/** The items for a unique value: its markers, and the markers that its owners require. */
type Uniqueness = {
  readonly isMarker: (item: Item) => boolean;
  /** The attributes by which a marker identifies its owner. */
  readonly says: readonly string[];
  readonly markersOf: (owner: Item & Owner) => readonly (Key & Readonly<Record<string, unknown>>)[];
};

/** The attributes of owners that markers are derived from. */
type Owner = Readonly<
  Record<
    | 'id'
    | 'organizationId'
    | 'userId'
    | 'email'
    | 'name'
    | 'contactId'
    | 'pipelineId'
    | 'platform'
    | 'platformUserId'
    | 'invitationId'
    | 'tokenHash'
    | 'expiresAt',
    string
  >
> & { readonly keyword?: string; readonly standIns?: readonly string[] };

function names(
  kind: 'AGENT' | 'TEMPLATE' | 'INTERACTIVE_TEMPLATE' | 'SAVED_REPLY' | 'SEGMENT',
): Uniqueness {
  return {
    isMarker: ({ sk }) => sk.startsWith(`UNIQUE#${kind}#`),
    says: ['id'],
    markersOf: ({ sk, organizationId, id, name }) =>
      sk.startsWith(`${kind}#`) ? [{ ...keys.nameClaim(organizationId, kind, name), id }] : [],
  };
}

const uniqueness = {
  userEmail: {
    isMarker: ({ pk, reservedFor }) => pk.startsWith('EMAIL#') && reservedFor === undefined,
    says: ['userId'],
    markersOf: ({ sk, email, userId }) =>
      sk === 'PROFILE' ? [{ ...keys.emailClaim(email), userId }] : [],
  },
  contactEmail: {
    isMarker: ({ pk }) => pk.includes('#CONTACT_EMAIL#'),
    says: ['contactId'],
    markersOf: ({ sk, organizationId, email, standIns = [], id }) =>
      sk === 'CONTACT'
        ? [email, ...standIns].map((address) => ({
            ...keys.contactEmail(organizationId, address),
            contactId: id,
          }))
        : [],
  },
  leadOfContact: {
    isMarker: ({ sk }) => sk.startsWith('LEAD_IN#'),
    says: ['leadId'],
    markersOf: ({ sk, organizationId, contactId, pipelineId, id }) =>
      sk === 'LEAD'
        ? [{ ...keys.leadClaim(organizationId, contactId, pipelineId), leadId: id }]
        : [],
  },
  postKeyword: {
    isMarker: ({ sk }) => sk.startsWith('UNIQUE#POST_KEYWORD#'),
    says: ['id'],
    markersOf: ({ list, organizationId, keyword, id }) =>
      String(list).startsWith('post#') && keyword
        ? [{ ...postKeywordKey(organizationId, keyword), id }]
        : [],
  },
  campaignKeyword: {
    isMarker: ({ sk }) => /^KEYWORD(?:_HASH)?#/.test(sk),
    says: ['campaignId', 'keyword', 'matchType', 'priority'],
    markersOf: (item) => (item.sk.startsWith('CAMPAIGN#') ? keywordMarkers(item) : []),
  },
  agentName: names('AGENT'),
  templateName: names('TEMPLATE'),
  interactiveTemplateName: names('INTERACTIVE_TEMPLATE'),
  savedReplyName: names('SAVED_REPLY'),
  segmentName: names('SEGMENT'),
  socialAccount: {
    isMarker: ({ pk, sk }) => pk.startsWith('SOCIAL#') && sk === 'CLAIM',
    says: ['organizationId', 'accountId'],
    markersOf: ({ sk, organizationId, platform, platformUserId, id }) =>
      sk.startsWith('SOCIAL_ACCOUNT#')
        ? [{ ...keys.socialAccountClaim(platform, platformUserId), organizationId, accountId: id }]
        : [],
  },
  /** The two sides of a membership are each other's marker. */
  membership: {
    isMarker: ({ sk }) => sk.startsWith('MEMBERSHIP#'),
    says: ['role', 'joinedAt'],
    markersOf: ({ sk, userId, organizationId, role, joinedAt }) =>
      sk.startsWith('MEMBER#')
        ? [{ ...keys.userMembership(userId, organizationId), role, joinedAt }]
        : [],
  },
  pendingInvitation: {
    isMarker: ({ sk, expiresAt }) =>
      sk.startsWith('UNIQUE#INVITATION#') && String(expiresAt) > timestamp(),
    says: ['invitationId'],
    markersOf: ({ sk, status, organizationId, email, invitationId, expiresAt }) =>
      sk.startsWith('INVITATION#') && status === 'pending' && expiresAt > timestamp()
        ? [{ ...keys.pendingInvitation(organizationId, email), invitationId }]
        : [],
  },
  invitationToken: {
    isMarker: ({ pk }) => pk.startsWith('INVITATION_TOKEN#'),
    says: ['organizationId', 'invitationId'],
    markersOf: ({ sk, tokenHash, organizationId, invitationId }) =>
      sk.startsWith('INVITATION#')
        ? [{ ...keys.invitationToken(tokenHash), organizationId, invitationId }]
        : [],
  },
} satisfies Readonly<Record<string, Uniqueness>>;

export type MarkerKind = keyof typeof uniqueness;

const markerKinds = Object.keys(uniqueness) as readonly MarkerKind[];

function keywordMarkers(item: Item) {
  const campaign = item as unknown as Campaign;
  const { organizationId, id: campaignId } = campaign;
  const keywords = hasCampaignEnded(campaign) ? [] : campaign.keywords;

  return keywords.map(({ keyword, matchType, priority }) => {
    const key = campaignKeywordKey(organizationId, keyword);

    return { ...key, campaignId, keyword, matchType, priority };
  });
}

/** Returns the markers of a kind among the items, each with its owner. */
export function markersAmong(items: readonly Item[], kind: MarkerKind): readonly string[] {
  return items.filter(uniqueness[kind].isMarker).map((item) => textOf(kind, item));
}

function textOf(kind: MarkerKind, marker: Key & Readonly<Record<string, unknown>>): string {
  const owner = uniqueness[kind].says.map((attribute) => String(marker[attribute]));

  return `${marker.pk} ${marker.sk} of ${owner.join(' ')}`;
}

/**
 * Returns markers without an owner and owners without a marker. Empty if each value has one owner.
 * `items` are all stored items, or all of some organizations.
 */
export function brokenMarkers(items: readonly Item[]): readonly string[] {
  return markerKinds.flatMap((kind) => {
    const stored = new Set(markersAmong(items, kind));
    const wanted = new Set(
      items.flatMap((item) =>
        uniqueness[kind].markersOf(item as Item & Owner).map((marker) => textOf(kind, marker)),
      ),
    );

    return [
      ...[...stored].filter((marker) => !wanted.has(marker)).map((marker) => `orphan: ${marker}`),
      ...[...wanted].filter((marker) => !stored.has(marker)).map((marker) => `missing: ${marker}`),
    ];
  });
}
