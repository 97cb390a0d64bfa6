import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

type FormPolicy = { readonly hasForm?: boolean; readonly redirectOrigin?: string };

/**
 * The content security policy of a page: allows its own style, by hash, and images, but no scripts.
 * `hasForm` allows forms that are sent to this origin. Some browsers also check the redirect after
 * a form, so `redirectOrigin` allows another origin for it.
 */
export function pagePolicy(
  style: string,
  { hasForm = false, redirectOrigin = '' }: FormPolicy = {},
): string {
  const formTargets = hasForm ? `'self' ${redirectOrigin}`.trim() : "'none'";
  const hash = createHash('sha256').update(style).digest('base64');

  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src https: http: data:',
    "base-uri 'none'",
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

type Page = {
  readonly title: string;
  readonly head?: string;
  readonly style: string;
  readonly main: string;
};

export function htmlPage({ title, head = '', style, main }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<style>${style}</style>
</head>
<body>
${main}
</body>
</html>
`;
}
