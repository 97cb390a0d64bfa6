import { config } from '#lib/platform/config.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { htmlPage, pagePolicy } from '#lib/platform/html/page.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import type { OpenLink } from './sign-in-links.ts';

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center}
main{box-sizing:border-box;max-width:26rem;padding:1.5rem;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .75rem}
button{font:inherit;font-weight:600;padding:.75rem 1.5rem;border:0;border-radius:.5rem;color:#fff;background:#1d4ed8;cursor:pointer}
button:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}`;

type Page = { readonly statusCode?: number; readonly title: string; readonly body: string };

/** Returns a page that loads nothing from elsewhere and runs no scripts. */
function answerPage({ statusCode = 200, title, body }: Page): HttpAnswer {
  const redirectOrigin = new URL(config.appUrl).origin;

  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(style, { hasForm: true, redirectOrigin }),
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
    body: htmlPage({
      title: `${title} · Social Leads`,
      head: '<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n',
      style,
      main: `<main>\n<h1 dir="auto">${escapeHtml(title)}</h1>\n${body}\n</main>`,
    }),
  };
}

/** Signing in requires a click, so that a preview of the link does not use it. */
export function signInPage({ link: { email }, organization: { name } }: OpenLink): HttpAnswer {
  return answerPage({
    title: `Sign in to ${name}`,
    body: `<p>You sign in as <strong>${escapeHtml(email)}</strong>, and accept the terms of service if this is the first time.</p>
<form method="post"><button type="submit">Sign in</button></form>`,
  });
}

export function linkGonePage(): HttpAnswer {
  return answerPage({
    statusCode: 404,
    title: 'This link no longer works',
    body: '<p>It was used already, or is older than five minutes. Go back and open a new one.</p>',
  });
}

/**
 * Returns the page for a rejected link.
 *
 * @throws all other failures.
 */
export function refusalPage(failure: unknown): HttpAnswer {
  if (failure instanceof ApiError && failure.kind === 'notFound') {
    return linkGonePage();
  }
  if (failure instanceof ApiError && failure.kind === 'forbidden') {
    return answerPage({
      statusCode: 403,
      title: 'This organization is suspended',
      body: '<p>Contact the company that provides the service.</p>',
    });
  }
  if (failure instanceof ApiError && failure.kind === 'conflict') {
    return answerPage({
      statusCode: 409,
      title: 'This link cannot sign you in',
      body: `<p>${escapeHtml(String(failure.publicMessage))}. <a href="${escapeHtml(config.appUrl)}">Sign in</a></p>`,
    });
  }
  throw failure;
}
