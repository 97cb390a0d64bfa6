import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { handler as getOpenapi } from '#functions/docs/get-openapi.ts';
import { projectPath } from '#scripts/project.ts';
import { call } from './setup.ts';

describe('getOpenapi', () => {
  test('returns the generated document', async () => {
    const { statusCode, headers, bytes } = await call(getOpenapi);

    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(bytes.equals(readFileSync(projectPath('docs/openapi.json')))).toBe(true);
  });

  test('can be cached for some minutes, and returns 304 when the document has not changed', async () => {
    const { headers } = await call(getOpenapi);
    const etag = String(headers.etag);

    const again = await call(getOpenapi, { headers: { 'if-none-match': `"x", ${etag}` } });
    const other = await call(getOpenapi, { headers: { 'if-none-match': '"x"' } });

    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(again).toMatchObject({ statusCode: 304, headers: { etag } });
    expect(again.bytes).toHaveLength(0);
    expect(other.statusCode).toBe(200);
  });

  test('is below 150 KB if the client accepts gzip', async () => {
    const { headers, sent } = await call(getOpenapi, {
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    });

    expect(headers['content-encoding']).toBe('gzip');
    expect(sent.length).toBeLessThan(150_000);
  });
});
