/** What stands behind a short link. */
export type Destination = {
  readonly organizationId: string;
  readonly linkId: string;
  readonly isActive: boolean;
  /** With the link's own parameters. */
  readonly url: string;
};

type Tagged = {
  readonly url: string;
  readonly utmSource?: string | null | undefined;
  readonly utmMedium?: string | null | undefined;
  readonly utmCampaign?: string | null | undefined;
};

/**
 * Where a link leads: its URL, with its utm parameters where the URL has none of that name. What
 * stands in the URL already stays as it is, to the letter.
 */
export function destinationOf({ url, utmSource, utmMedium, utmCampaign }: Tagged): string {
  const target = new URL(url);
  const added = Object.entries({
    utm_source: utmSource,
    utm_medium: utmMedium,
    utm_campaign: utmCampaign,
  }).flatMap(([name, value]) =>
    value && !target.searchParams.has(name) ? [`${name}=${encodeURIComponent(value)}`] : [],
  );
  if (added.length > 0) {
    const parts = [target.search.slice(1), ...added].filter((part) => part !== '');
    target.search = `?${parts.join('&')}`;
  }

  return target.href;
}
