import { endpoint } from '#lib/platform/http/endpoint.ts';
import { openHome } from '#schemas/app.ts';

export const handler = endpoint(openHome, async () => ({
  statusCode: 302,
  headers: { location: '/app', 'content-type': openHome.contentType, 'cache-control': 'no-store' },
  body: '',
}));
