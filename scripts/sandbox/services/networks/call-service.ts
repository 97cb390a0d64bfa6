const timeoutMs = 10_000;

/** What the service answered; a status of null where it did not. */
export type ServiceAnswer = { readonly status: number | null; readonly body: string };

/** Calls the service as a network does: redirects are not followed, and ten seconds must do. */
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
