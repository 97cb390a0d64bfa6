import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { renderNotFoundPage } from './bio-page.ts';

/** Returns the 404 response as an HTML page. */
export function notFoundPage(): HttpAnswer {
  const { html, policy } = renderNotFoundPage();

  return {
    statusCode: 404,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-robots-tag': 'noindex',
    },
    body: html,
  };
}
