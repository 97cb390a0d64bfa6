import { bioKeys } from '#lib/platform/db/keys/bio.ts';
import { get } from '#lib/platform/db/read.ts';

type Target = {
  readonly organizationId: string;
  readonly linkId: string;
  readonly isActive: boolean;
  /** Includes the link's UTM parameters. */
  readonly url: string;
};

export type BioDestination = Target & { readonly kind?: undefined };

/** The target of a link that an answer gave to one customer. */
export type PersonalDestination = Target & {
  readonly kind: 'PERSONAL';
  readonly conversationId: string;
};

/** The data that redirects a short link. It is found by the link's code. */
export type Destination = BioDestination | PersonalDestination;

/** Well above the length of any code, and below the key size limit. */
const maxCodeLength = 64;

/** Returns the target of a short link, or `undefined` if it is unknown or inactive. */
export async function findDestination(code: string): Promise<Destination | undefined> {
  if (code.length > maxCodeLength) {
    return undefined;
  }
  const destination = await get<Destination>(bioKeys.shortCode(code));

  return destination?.isActive ? destination : undefined;
}

type Tagged = {
  readonly url: string;
  readonly utmSource?: string | null | undefined;
  readonly utmMedium?: string | null | undefined;
  readonly utmCampaign?: string | null | undefined;
};

/** Returns the link's URL with its UTM parameters. Keeps parameters that are already in the URL. */
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
