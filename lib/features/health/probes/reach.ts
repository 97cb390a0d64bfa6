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
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  await response.body?.cancel();
  if (response.status >= 500) {
    throw new ProbeError(`Responded with ${response.status}`);
  }

  return response.status;
}
