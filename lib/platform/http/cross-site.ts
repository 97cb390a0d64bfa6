import { config } from '#lib/platform/config.ts';
import { forbidden } from '#lib/platform/errors/failures.ts';
import type { HttpEvent } from './request.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * CSRF protection. Browsers also send the cookie with requests from other sites. An unsafe request
 * authenticated only by cookie must come from an allowed origin, by its `Origin` or else its
 * `Referer`.
 *
 * @throws 403 for any other origin.
 */
export function rejectCrossSite({ headers, requestContext }: HttpEvent): void {
  if (safeMethods.has(requestContext.http.method)) {
    return;
  }
  const source = headers.origin ?? originOf(headers.referer);
  const ours = [new URL(config.publicBaseUrl).origin, ...config.allowedOrigins];
  if (source === undefined || !ours.includes(source)) {
    throw forbidden('Cross-site request refused');
  }
}
