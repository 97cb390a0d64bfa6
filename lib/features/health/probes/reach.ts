import { readBounded } from '#lib/platform/outbound/read-bounded.ts';
import { parseJson } from '#lib/platform/parse-json.ts';

/** A failure whose message is safe to show publicly. */
export class ProbeError extends Error {}

/**
 * Checks whether a server responds. Client errors count as success, because the probe has no
 * credentials. Server errors count as failures.
 */
export async function reach(
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetchFrom(url, signal, headers);
  await response.body?.cancel();

  return response.status;
}

const maxJsonBytes = 100_000;

/** Like `reach`, but returns the body, or undefined if it is not JSON. */
export async function reachJson(
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { body } = await fetchFrom(url, signal, headers);

  return body ? parseJson(await readBounded(body, maxJsonBytes)) : undefined;
}

async function fetchFrom(
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  if (response.status >= 500) {
    await response.body?.cancel();
    throw new ProbeError(`Responded with ${response.status}`);
  }

  return response;
}
