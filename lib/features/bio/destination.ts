export type Destination = {
  readonly organizationId: string;
  readonly linkId: string;
  readonly isActive: boolean;
  /** Includes the link's UTM parameters. */
  readonly url: string;
};

type Tagged = {
  readonly url: string;
  readonly utmSource?: string | null | undefined;
  readonly utmMedium?: string | null | undefined;
  readonly utmCampaign?: string | null | undefined;
};

/**
 * Returns the link's URL with its UTM parameters. Parameters that are already in the URL are kept
 * unchanged.
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
