import { expect, it } from 'vitest';
import { getApp, getAppAsset } from '#schemas/app.ts';
import { call } from '#tests/support/api.ts';
import { callForText } from './setup.ts';

it('getAppAsset returns the files that the page loads, which may be cached permanently', async () => {
  const { text } = await callForText(getApp);
  const assets = [...text.matchAll(/\/app\/assets\/([^"]+)/g)].map(([, name = '']) => name);
  const types = await Promise.all(
    assets.map(async (asset) => {
      const { status, headers } = await call(getAppAsset, { params: { asset } });
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');

      return headers['content-type'];
    }),
  );

  expect(new Set(types)).toEqual(
    new Set(['image/svg+xml', 'text/css; charset=utf-8', 'text/javascript; charset=utf-8']),
  );
});

it.each(['index.html', '../package.json', 'main-AAAAAAAA.js', 'constructor', '..%2findex.html'])(
  'getAppAsset returns 404 for %s',
  async (asset) => {
    const { status, body } = await call(getAppAsset, { params: { asset } });

    expect(status).toBe(404);
    expect(body).toMatchObject({ message: "Asset not found or you don't have access" });
  },
);
