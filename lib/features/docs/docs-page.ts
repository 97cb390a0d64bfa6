import { staticFile } from '#lib/platform/http/static-file.ts';
import type { DocsAssetName } from '#schemas/docs.ts';
import { docsFile } from './docs-files.ts';

/**
 * Allows only resources from this origin. Inline styles and `data:` images are allowed because
 * Swagger UI uses both, and neither can run code.
 */
export const docsPagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the page that renders the OpenAPI document. Its assets are versioned, so that they can be
 * cached.
 */
export function docsPage() {
  return staticFile('docs.html', Buffer.from(html()));
}

function html(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Social Leads API</title>
    <link rel="icon" type="image/png" sizes="32x32" href="${address('favicon-32x32.png')}">
    <link rel="stylesheet" href="${address('swagger-ui.css')}">
    <script defer src="${address('swagger-ui-bundle.js')}"></script>
    <script defer src="${address('start.js')}"></script>
  </head>
  <body>
    <noscript>This page requires JavaScript. You can also download the <a href="openapi.json">OpenAPI document</a> and read about <a href="docs/errors.md">errors</a>.</noscript>
    <div id="swagger-ui"></div>
  </body>
</html>
`;
}

/** Returns a URL relative to the page, so that it works under any host and path. */
function address(name: DocsAssetName): string {
  return `docs/${name}?v=${docsFile(name).version}`;
}
