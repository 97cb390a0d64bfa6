/** Why a dependency is not well, in words that everybody may read. */
export class ProbeFailure extends Error {}

/**
 * Sees whether somebody answers at an address. An answer that refuses is one: nothing here has
 * rights there. Failures of the server's own are none.
 */
export async function reach(
  url: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  await response.body?.cancel();
  if (response.status >= 500) {
    throw new ProbeFailure(`Responded with ${response.status}`);
  }

  return response.status;
}
