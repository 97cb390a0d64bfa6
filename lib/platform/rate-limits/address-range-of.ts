import { isIPv6 } from 'node:net';
import { type RateLimitName, rateLimits } from '#schemas/rate-limits.ts';

/** Returns the value that a limit counts: the user, the email address, or the IP range. */
export function countedSubject(name: RateLimitName, subject: string): string {
  return rateLimits[name].per === 'ip' ? addressRangeOf(subject) : subject;
}

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the range by which an IP address is counted: an IPv4 address itself, or the /64 of an
 * IPv6 address, because its owner can use every address in it.
 */
export function addressRangeOf(address: string): string {
  const mapped = mappedIpv4.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) {
    return mapped ?? address;
  }
  const [head = '', tail] = address.split('%', 1).join().split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);

  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** An IPv4 address at the end replaces two groups. */
function groupsOf(part: string): readonly string[] {
  return part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
