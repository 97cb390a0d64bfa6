import { escapeHtml } from '#lib/platform/html/escape-html.ts';
import { htmlPage, pagePolicy } from '#lib/platform/html/page.ts';
import type { HttpAnswer } from '#lib/platform/http/request.ts';
import type { DataDeletion } from './data-deletion.ts';

const style = `:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--line:#dfe3e8;--ink:#1b2430;--soft:#566272}
@media (prefers-color-scheme:dark){:root{--ground:#12161b;--card:#1b2129;--line:#303944;--ink:#edf1f5;--soft:#a6b2bf}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:34rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.35rem;line-height:1.3}
dl{margin:1.5rem 0 0;padding:1rem 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
dt{color:var(--soft);font-size:.9rem}
dd{margin:0 0 .75rem;overflow-wrap:anywhere}
dd:last-child{margin:0}`;

const states = {
  PENDING: 'We are deleting your data',
  DONE: 'Your data has been deleted',
} as const;

/** Renders the state of a request, without scripts or external resources. */
export function dataDeletionPage(request: DataDeletion | undefined): HttpAnswer {
  if (!request) {
    return page(404, 'Unknown confirmation code', '<p>Please check the link.</p>');
  }
  const { code, status, createdAt, doneAt } = request;
  const facts = [
    ['Confirmation code', escapeHtml(code)],
    ['Requested', date(createdAt)],
    ...(doneAt ? [['Deleted', date(doneAt)]] : []),
  ];
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n');

  return page(200, states[status], `<dl>\n${list}\n</dl>`);
}

function date(time: string): string {
  return `<time datetime="${time}">${time.slice(0, 10)}</time>`;
}

function page(statusCode: number, title: string, body: string): HttpAnswer {
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(style),
      'x-robots-tag': 'noindex',
    },
    body: htmlPage({
      title,
      head: '<meta name="robots" content="noindex">\n<link rel="icon" href="data:,">\n',
      style,
      main: `<main>\n<h1>${title}</h1>\n${body}\n</main>`,
    }),
  };
}
