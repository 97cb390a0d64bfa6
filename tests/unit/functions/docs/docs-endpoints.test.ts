import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { handler as getDocs } from '#functions/docs/get-docs.ts';
import { handler as getDocsAsset } from '#functions/docs/get-docs-asset.ts';
import { handler as getOpenapi } from '#functions/docs/get-openapi.ts';
import { docsAssets } from '#schemas/docs.ts';
import { projectPath } from '#scripts/project.ts';

type Call = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly asset?: string;
  readonly version?: string;
};

async function call(handler: typeof getDocs, { headers = {}, asset, version }: Call = {}) {
  const event = {
    version: '2.0',
    rawPath: '/',
    rawQueryString: '',
    headers,
    requestContext: { http: { method: 'GET', path: '/', sourceIp: '127.0.0.1' } },
    isBase64Encoded: false,
    ...(asset ? { pathParameters: { asset } } : {}),
    ...(version ? { queryStringParameters: { v: version } } : {}),
  };
  const answer = await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
  const bytes = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');

  return { ...answer, bytes, headers: answer.headers ?? {} };
}

const page = await call(getDocs);
const versions = new Map(
  [...page.bytes.toString().matchAll(/docs\/([^"?]+)\?v=(\w+)/g)].map(([, name, version]) => [
    name ?? '',
    version ?? '',
  ]),
);

describe('getOpenapi', () => {
  test('returns the generated document', async () => {
    const { statusCode, headers, bytes } = await call(getOpenapi);

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(bytes.equals(readFileSync(projectPath('docs/openapi.json')))).toBe(true);
  });

  test('requires revalidation and returns 304 when the document has not changed', async () => {
    const { headers } = await call(getOpenapi);
    const etag = String(headers.etag);

    const again = await call(getOpenapi, { headers: { 'if-none-match': `"x", ${etag}` } });
    const other = await call(getOpenapi, { headers: { 'if-none-match': '"x"' } });

    expect(headers['cache-control']).toBe('no-cache');
    expect(again).toMatchObject({ statusCode: 304, headers: { etag } });
    expect(again.bytes).toHaveLength(0);
    expect(other.statusCode).toBe(200);
  });

  test.each([
    ['gzip, deflate, br', true],
    ['GZIP;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip; q=0.0, identity', false],
    ['br', false],
  ])('compresses according to accept-encoding: %s', async (acceptEncoding, isCompressed) => {
    const plain = await call(getOpenapi);

    const { headers, bytes } = await call(getOpenapi, {
      headers: { 'accept-encoding': acceptEncoding },
    });

    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(headers.vary).toBe('origin, accept-encoding');
    expect((isCompressed ? gunzipSync(bytes) : bytes).equals(plain.bytes)).toBe(true);
  });
});

describe('the documentation page', () => {
  test('loads nothing from other origins and allows no inline scripts or frames', () => {
    const policy = String(page.headers['content-security-policy']);

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(page.bytes.toString()).not.toMatch(/<script(?![^>]* src=)|https?:|\son\w+=/);
  });

  test('references existing files by version', () => {
    expect([...versions.keys()].toSorted()).toEqual(
      ['favicon-32x32.png', 'start.js', 'swagger-ui-bundle.js', 'swagger-ui.css'].toSorted(),
    );
    expect(Object.keys(docsAssets)).toEqual(expect.arrayContaining([...versions.keys()]));
  });
});

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
    const version = versions.get(asset) ?? '';

    const named = await call(getDocsAsset, { asset, version });
    const stale = await call(getDocsAsset, { asset, version: '0' });

    expect(named.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(stale.headers['cache-control']).toBe('no-cache');
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
      expect(JSON.parse(bytes.toString())).toEqual({
        success: false,
        statusCode: 404,
        message: "Asset not found or you don't have access",
        error: 'Not Found',
      });
    },
  );
});
