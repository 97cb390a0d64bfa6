import { config } from '#lib/platform/config.ts';
import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import type { HttpEvent } from './request.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * CSRF protection. Browsers also send the cookie with requests from other sites. An unsafe request
 * that is authenticated only by cookie must come from an allowed origin, according to `Origin` or,
 * if absent, `Referer`.
 *
 * @throws 403 for any other origin.
 */
export function rejectCrossSite({ headers, requestContext }: HttpEvent): void {
  if (safeMethods.has(requestContext.http.method)) {
    return;
  }
  const source = headers.origin ?? originOf(headers.referer);
  if (source === undefined || !isOurs(source)) {
    throw crossSiteRefused();
  }
}

/**
 * True for requests from a page of another site. Programs send no `Origin`. Endpoints for programs
 * reject such pages, which could reach them by DNS rebinding.
 */
export function isOtherSite({ headers: { origin } }: Pick<HttpEvent, 'headers'>): boolean {
  return origin !== undefined && !isOurs(origin);
}

export function crossSiteRefused(): ApiError {
  return apiError('CROSS_SITE_REQUEST', 'Cross-site request refused');
}

function isOurs(origin: string): boolean {
  return origin === new URL(config.publicBaseUrl).origin || config.allowedOrigins.includes(origin);
}
