import { isIP } from 'node:net';
import { config } from '#lib/platform/config.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { isPublicAddress } from './public-address.ts';

/** Names that are no part of the public name space, or that clouds give to their own services. */
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

/** Below lie the services of a machine: mail, shells, databases' elder siblings. */
const firstFreePort = 1_024;

/** Whether the operator has named the origin of this URL as one that no rule applies to. */
export function isExempt({ origin }: URL): boolean {
  return config.webhookAllowedOrigins.includes(origin);
}

/** The host as it is resolved and connected to: without brackets, without the root's dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/**
 * What is wrong with a URL that a stranger has named and that this service is to call, worded to
 * follow the name of the field; `undefined` where nothing is. Names are not resolved here:
 * `fetchPublic` does that at each call.
 *
 * The parser brings every spelling of an IPv4 address (decimal, octal, hexadecimal, short, with
 * full-width digits, percent-encoded) into the usual one before it is looked at.
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

/** @throws 400 naming the field, for a URL that this service must not call. */
export function checkPublicUrl(value: string, field = 'webhookUrl'): void {
  const problem = publicUrlProblem(value);
  if (problem) {
    throw badRequest(`${field} ${problem}`);
  }
}
