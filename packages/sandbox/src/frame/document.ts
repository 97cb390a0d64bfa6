import { randomBytes } from 'node:crypto';
import { type Html, html } from './html.ts';
import { pageStyle } from './page-style.ts';
import type { SandboxAnswer } from './service.ts';

type Page = {
  readonly title: string;
  readonly body: Html;
  readonly script?: string;
  /** Further styles. */
  readonly style?: string;
  /** An origin, besides the sandbox itself, that the response to a form may redirect to. */
  readonly formTarget?: string;
  /** Further directives of the content security policy. */
  readonly policy?: string;
};

/** Returns a web page of the sandbox. Only its own styles and script run. */
export function pageAnswer(page: Page): SandboxAnswer {
  const { title, body, script, style = '', formTarget = '', policy } = page;
  const nonce = randomBytes(16).toString('base64');
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ markup: pageStyle + style }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${body}
${script === undefined ? null : html`<script nonce="${nonce}">${{ markup: script }}</script>`}
</body>
</html>
`;

  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': [
        `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self' ${formTarget}; frame-ancestors 'none'`,
        ...(policy === undefined ? [] : [policy]),
      ].join('; '),
    },
    body: markup,
  };
}
