import { createHash } from 'node:crypto';
import type { Attribution } from '#lib/features/attribution/attribution.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { destinationOf, type PersonalDestination } from '#lib/features/short-links/destination.ts';
import { newShortCode, shortUrlOf } from '#lib/features/short-links/short-codes.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { bioKeys } from '#lib/platform/db/keys/bio.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import type { MessageButton } from '#lib/vendors/networks/network.ts';

/** A short link that an answer gave to one customer. Only its first click counts. */
export type PersonalLink = {
  readonly id: string;
  readonly shortCode: string;
  /** The URL of the button, without the campaign's UTM parameters. */
  readonly url: string;
  readonly campaignId: string;
  /** Our post that the customer commented on. */
  readonly postId?: string;
  /** The attribution of the link's clicks, and the conversation in which the keyword matched. */
  readonly attribution: Attribution;
  readonly attributedId: string;
  /** When the customer first followed the link. */
  readonly clickedAt?: string;
  /** True if the click is in all metrics. */
  readonly isCounted?: boolean;
  readonly createdAt: string;
};

/** The attribution of the links in an answer. */
type LinkOrigin = {
  readonly campaign: {
    readonly id: string;
    readonly utmSource?: string;
    readonly utmMedium?: string;
    readonly utmCampaign?: string;
  };
  readonly postId: string | undefined;
  /** The conversation that the answer belongs to. */
  readonly source: Conversation;
};

export type PlannedButtons = {
  readonly buttons: readonly MessageButton[];
  readonly writes: readonly Write[];
};

/** One link for each URL of a campaign under a post, so repeated answers contain the same link. */
function linkIdOf({ campaign, postId = '' }: LinkOrigin, url: string): string {
  return createHash('sha256').update(`${campaign.id}\n${postId}\n${url}`).digest('base64url');
}

/**
 * Replaces the URLs of buttons with short links for the conversation's customer. Include the writes
 * in the transaction that stores the message.
 */
export async function planPersonalLinks(
  { organizationId, id: conversationId }: Conversation,
  buttons: readonly MessageButton[],
  origin: LinkOrigin,
): Promise<PlannedButtons> {
  const urls = [...new Set(buttons.flatMap((button) => ('url' in button ? [button.url] : [])))];
  const known = await getMany<PersonalLink>(
    urls.map((url) =>
      socialKeys.personalLink(organizationId, conversationId, linkIdOf(origin, url)),
    ),
  );
  const links = urls.map((url, index) => known[index] ?? newLink(origin, url));
  const added = links.filter((_, index) => known[index] === undefined);

  return {
    buttons: buttons.map((button) => withShortUrl(button, links)),
    writes: added.flatMap((link) => [
      create(socialKeys.personalLink(organizationId, conversationId, link.id), link),
      create(bioKeys.shortCode(link.shortCode), {
        kind: 'PERSONAL',
        organizationId,
        conversationId,
        linkId: link.id,
        isActive: true,
        url: destinationOf({ ...origin.campaign, url: link.url }),
      } satisfies PersonalDestination),
    ]),
  };
}

function newLink(origin: LinkOrigin, url: string): PersonalLink {
  return {
    id: linkIdOf(origin, url),
    shortCode: newShortCode(),
    url,
    campaignId: origin.campaign.id,
    ...(origin.postId ? { postId: origin.postId } : {}),
    attribution: attributionOf(origin, url),
    attributedId: origin.source.id,
    createdAt: timestamp(),
  };
}

function attributionOf({ campaign, postId, source }: LinkOrigin, link: string): Attribution {
  const { platform: network, attribution } = source;
  const { keyword } = attribution ?? {};

  return compact({ network, postId, campaignId: campaign.id, keyword, link }) as Attribution;
}

function withShortUrl(button: MessageButton, links: readonly PersonalLink[]): MessageButton {
  const link = 'url' in button ? links.find(({ url }) => url === button.url) : undefined;

  return link ? { label: button.label, url: shortUrlOf(link) } : button;
}
