import { isIP } from 'node:net';
import { config } from '#lib/platform/config.ts';
import { isPublicAddress } from './public-address.ts';

/** Top-level names that are not in public DNS, or that clouds use for internal services. */
const localSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'onion',
];

/** Lower ports are reserved for system services, such as mail and SSH. */
const firstFreePort = 1_024;

/** True if the operator has exempted the URL's origin from all rules. */
export function isExempt({ origin }: URL): boolean {
  return config.webhookAllowedOrigins.includes(origin);
}

/** Returns the host as it is resolved: without brackets and without the trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * Returns the problem of a user-supplied URL, worded to follow the field's name. `undefined` if the
 * URL is valid. Does not resolve the host: `fetchPublic` does that for each request.
 *
 * The URL parser normalizes every notation of an IPv4 address (decimal, octal, hexadecimal, short,
 * full-width digits, percent-encoded) before it is checked.
 */
export function publicUrlProblem(value: string): string | undefined {
  if (!URL.canParse(value)) {
    return 'must be an https URL';
  }
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') {
    return 'must not contain credentials';
  }
  if (isExempt(url)) {
    return undefined;
  }
  if (url.protocol !== 'https:') {
    return 'must be an https URL';
  }
  if (url.port !== '' && Number(url.port) < firstFreePort) {
    return 'must use port 443 or a port above 1023';
  }

  return isPublicHost(hostOf(url)) ? undefined : 'must point to a public address';
}

function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) {
    return isPublicAddress(host);
  }
  const labels = host.split('.');

  return labels.length > 1 && !labels.includes('') && !localSuffixes.includes(labels.at(-1) ?? '');
}

/** Returns the problems of a URL field, if it is set. */
export function publicUrlProblems(
  field: string,
  value: string | null | undefined,
): readonly string[] {
  const problem = value ? publicUrlProblem(value) : undefined;

  return problem === undefined ? [] : [`${field} ${problem}`];
}
