import type { Platform } from '#schemas/platforms.ts';

/**
 * The origin of a conversation, a lead or a click. It never changes, except that `link` is added.
 */
export type Attribution = {
  readonly network: Platform;
  /** Our post that the customer commented on. */
  readonly postId?: string;
  readonly campaignId?: string;
  /** The campaign's keyword that matched. */
  readonly keyword?: string;
  /** The target of the first personal link that the customer followed. */
  readonly link?: string;
};

/** Returns the attribution of a customer who followed a link to `url`. The first link wins. */
export function withLink(attribution: Attribution, url: string): Attribution {
  return { link: url, ...attribution };
}

/** Returns all fields, with null for missing values. */
export function presentAttribution(attribution: Attribution) {
  return { postId: null, campaignId: null, keyword: null, link: null, ...attribution };
}
