import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { handler as getOpenapi } from '#functions/docs/get-openapi.ts';
import { projectPath } from '#scripts/project.ts';
import { call } from './world.ts';

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
