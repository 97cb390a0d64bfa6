/** A failure whose message is safe to show publicly. */
export class ProbeError extends Error {}

type Headers = Readonly<Record<string, string>>;

/**
 * Checks whether a server responds. Client errors count as success, because the probe has no
 * credentials. Server errors count as failures.
 */
export async function reach(
  url: string,
  signal: AbortSignal,
  headers: Headers = {},
): Promise<number> {
  const response = await request(url, signal, headers);
  await response.body?.cancel();

  return response.status;
}

/** Like `reach`, but leaves the body to the caller. */
export async function request(url: string, signal: AbortSignal, headers: Headers) {
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  if (response.status >= 500) {
    await response.body?.cancel();
    throw new ProbeError(`Responded with ${response.status}`);
  }

  return response;
}

/** @throws ProbeError if the vendor rejects the service's own key. */
export function requireAcceptedKey(status: number): void {
  if (status === 401 || status === 403) {
    throw new ProbeError('The API key was rejected');
  }
}
