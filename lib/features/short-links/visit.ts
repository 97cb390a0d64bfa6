import { isbot } from 'isbot';

export type Visit = {
  readonly method: string;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** False for bots, previews, prefetches and HEAD requests, whose visits do not count. */
export function isByPerson({ method, userAgent, headers }: Visit): boolean {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers[name]);
  const isAhead = purpose.some((value) => /prefetch|prerender|preview/i.test(value ?? ''));

  return method === 'GET' && userAgent !== '' && !isAhead && !isbot(userAgent);
}
