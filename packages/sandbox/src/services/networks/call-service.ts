const timeoutMs = 10_000;

/** The service's response. The status is null if there was none. */
export type ServiceAnswer = { readonly status: number | null; readonly body: string };

/** Calls the service as a network does: without following redirects, and with a 10 s timeout. */
export async function callService(url: string, init: RequestInit = {}): Promise<ServiceAnswer> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });

    return { status: response.status, body: await response.text() };
  } catch {
    return { status: null, body: '' };
  }
}
