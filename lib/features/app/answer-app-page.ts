import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readAuthCookie } from '#lib/platform/http/cookies.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import { caching, staticAnswer } from '#lib/platform/http/static-file.ts';
import { appPage, appPagePolicy } from './app-page.ts';

/** Answers every address of the web app with its page. */
export function answerAppPage(event: APIGatewayProxyEventV2): HttpAnswer {
  return staticAnswer(event, appPage({ hasSession: Boolean(readAuthCookie(event)) }), {
    cacheControl: caching.revalidatedInPrivate,
    headers: {
      'content-security-policy': appPagePolicy(),
      // Without a referrer, Chromium sends no `Origin` either, and the cross-site check rejects the
      // request.
      'referrer-policy': 'same-origin',
    },
  });
}
