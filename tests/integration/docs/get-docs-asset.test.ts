import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { handler as getDocs } from '#functions/docs/get-docs.ts';
import { handler as getDocsAsset } from '#functions/docs/get-docs-asset.ts';
import { docsAssets } from '#schemas/docs.ts';
import { projectPath } from '#scripts/project.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { call, versionsIn } from './setup.ts';

describe('getDocsAsset', () => {
  test.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
    ['start.js', 'text/javascript; charset=utf-8'],
  ] as const)('returns the file from the project: %s', async (asset, contentType) => {
    const { statusCode, headers, bytes } = await call(getDocsAsset, { asset });

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe(contentType);
    expect(bytes.equals(readFileSync(projectPath(docsAssets[asset])))).toBe(true);
  });

  test('marks a file as immutable only under its current version', async () => {
    const asset = 'start.js';
    const page = await call(getDocs);
    const version = versionsIn(page.bytes).get(asset) ?? '';

    const named = await call(getDocsAsset, { asset, version });
    const stale = await call(getDocsAsset, { asset, version: '0' });

    expect(named.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(stale.headers['cache-control']).toBe('public, max-age=300');
  });

  test.each(Object.keys(docsAssets))(
    'returns a file within the Lambda response limit: %s',
    async (asset) => {
      const { body } = await call(getDocsAsset, { asset });

      expect(Buffer.byteLength(body ?? '')).toBeLessThan(6 * 1024 * 1024);
    },
  );

  test.each(['package.json', '../package.json', '..%2fpackage.json', 'constructor', '__proto__'])(
    'returns 404 for a file that the page does not use: %s',
    async (asset) => {
      const { statusCode, headers, bytes } = await call(getDocsAsset, { asset });

      expect(statusCode).toBe(404);
      expect(headers['cache-control']).toBe('no-store');
      expect(JSON.parse(bytes.toString())).toEqual(
        errorBodyOf('ASSET_NOT_FOUND', "Asset not found or you don't have access", {
          requestId: expect.any(String),
        }),
      );
    },
  );
});
