import { replaceAddresses } from '#lib/platform/web-hosts.ts';
import type { ContentPost } from './post.ts';

export type Utm = Pick<ContentPost, 'utmSource' | 'utmMedium' | 'utmCampaign'>;

/** Also encodes characters that could end an address: brackets, quotes and `*`. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Returns the text in its published form. Its http and https addresses get the post's UTM
 * parameters, except those that an address already has. The rest of each address is unchanged.
 */
export function taggedText(
  text: string,
  {
    utmSource,
    utmMedium,
    utmCampaign,
  }: { readonly [Name in keyof Utm]?: string | null | undefined },
): string {
  const utm = Object.entries({
    utm_source: utmSource,
    utm_medium: utmMedium,
    utm_campaign: utmCampaign,
  }).flatMap(([name, value]) => (value ? [{ name, value }] : []));

  return utm.length === 0
    ? text
    : replaceAddresses(text, (address) => {
        const url = URL.parse(address);
        const added = utm.filter(({ name }) => url && !url.searchParams.has(name));

        return added.length === 0
          ? address
          : withQuery(
              address,
              added.map(({ name, value }) => `${name}=${encode(value)}`).join('&'),
            );
      });
}

function withQuery(address: string, query: string): string {
  const hashAt = address.indexOf('#');
  const end = hashAt < 0 ? address.length : hashAt;
  const before = address.slice(0, end);
  const path = /^https?:[/\\]+[^/\\?]+$/i.test(before) ? `${before}/` : before;
  const separator = !path.includes('?') ? '?' : /[?&]$/.test(path) ? '' : '&';

  return `${path}${separator}${query}${address.slice(end)}`;
}
