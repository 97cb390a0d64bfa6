import { pageAnswer } from '../frame/document.ts';
import { html, linked, time } from '../frame/html.ts';
import type { SandboxAnswer } from '../frame/service.ts';

/** A sent email. `to` separates multiple recipients with commas. */
export type SandboxMail = {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
};

/** The width of a common phone. */
const style = `
.mail { display: grid; grid-template-columns: minmax(0, 1fr) 377px; gap: 1.5rem; align-items: start; }
iframe { width: 377px; height: 667px; border: 1px solid var(--line); background: #ffffff; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 50rem) { .mail { display: block; } }
`;

/** Shows a mail as plain text and, in a frame as wide as a phone, as HTML. */
export function mailPage({ id, at, from, to, subject, text, html: markup }: SandboxMail) {
  return pageAnswer({
    title: `${subject} - Sandbox`,
    style,
    policy: "frame-src 'self'",
    body: html`<header>
<h1>${subject}</h1>
<dl><dt>From</dt><dd>${from}</dd><dt>To</dt><dd>${to}</dd><dt>Time (UTC)</dt><dd>${time(new Date(at))}</dd></dl>
<p class="actions"><a href="/_sandbox#mails">All emails</a></p>
</header>
<main id="main" tabindex="-1" class="mail">
<section aria-labelledby="text-title"><h2 id="text-title">Plain text</h2>
${text === null ? html`<p class="empty">No plain text.</p>` : html`<pre>${linked(text)}</pre>`}</section>
<section aria-labelledby="html-title"><h2 id="html-title">HTML</h2>
${
  markup === null
    ? html`<p class="empty">No HTML.</p>`
    : html`<iframe sandbox="" title="The mail as HTML" src="/_sandbox/mails/${id}/html"></iframe>`
}</section>
</main>`,
  });
}

/** The HTML of a mail. It runs no scripts and loads nothing, even outside its frame. */
export function mailHtml(markup: string): SandboxAnswer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    },
    body: markup,
  };
}
