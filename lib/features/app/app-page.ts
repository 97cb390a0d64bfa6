import { config } from '#lib/platform/config.ts';
import { type StaticFile, staticFile } from '#lib/platform/http/static-file.ts';
import { readProjectFile } from '#lib/platform/project-file.ts';
import { storageAddress } from '#lib/platform/storage/storage-address.ts';
import { appFolder } from '#schemas/app.ts';

/**
 * Returns the page with the settings that the app needs before its first request. `hasSession` is
 * true if the browser sent a session cookie, which scripts cannot see. Without one, the app shows
 * the sign-in page and sends no request.
 *
 * The file is read for each request, because a rebuild replaces it during development.
 */
export function appPage({ hasSession }: { readonly hasSession: boolean }): StaticFile {
  const settings = {
    hasSession,
    stripePublishableKey: config.stripePublishableKey ?? null,
    google: config.google.clientId
      ? { clientId: config.google.clientId, authUrl: config.google.authUrl }
      : null,
  };
  const html = readProjectFile(`${appFolder}/index.html`).toString();

  return staticFile(
    'index.html',
    Buffer.from(
      html.replace('content="settings"', () => `content="${escaped(JSON.stringify(settings))}"`),
    ),
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * Allows this origin, the storage and the WebSocket API, and also Stripe if its card form is shown.
 */
export function appPagePolicy(): string {
  const storage = storageAddress().origin;
  const live = new URL(config.websocketUrl).origin;
  const hasStripe = config.stripePublishableKey !== undefined;
  const [scripts, frames, calls] = hasStripe
    ? [
        'https://js.stripe.com',
        'https://js.stripe.com https://hooks.stripe.com',
        'https://api.stripe.com',
      ]
    : ['', "'none'", ''];

  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`,
    "style-src 'self'",
    `img-src 'self' ${storage}`,
    `media-src ${storage}`,
    `connect-src 'self' ${storage} ${live} ${calls}`,
    `frame-src ${frames}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${config.embedOrigins.join(' ') || "'none'"}`,
  ]
    .map((directive) => directive.trim())
    .join('; ');
}
