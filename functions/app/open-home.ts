import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { openHome } from '#schemas/app.ts';

export const handler = publicEndpoint(openHome, async () => ({
  statusCode: 302,
  headers: { location: '/app', 'content-type': openHome.contentType, 'cache-control': 'no-store' },
  body: '',
}));
