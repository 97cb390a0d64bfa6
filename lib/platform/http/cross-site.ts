import { config } from '#lib/platform/config.ts';
import { forbidden } from '#lib/platform/errors/failures.ts';
import type { HttpEvent } from './request.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * The cookie goes along with requests that other sites make. One that changes something and has no
 * other proof must come from a page of ours, by its `Origin` or, without one, its `Referer`.
 *
 * @throws 403 for any other.
 */
export function refuseCrossSite({ headers, requestContext }: HttpEvent): void {
  if (safeMethods.has(requestContext.http.method)) {
    return;
  }
  const source = headers.origin ?? originOf(headers.referer);
  const ours = [new URL(config.publicBaseUrl).origin, ...config.allowedOrigins];
  if (source === undefined || !ours.includes(source)) {
    throw forbidden('Cross-site request refused');
  }
}
