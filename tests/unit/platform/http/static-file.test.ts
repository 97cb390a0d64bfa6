import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { caching, staticAnswer, staticFile } from '#lib/platform/http/static-file.ts';

const text = 'Engines. '.repeat(1_000);
const file = staticFile('page.html', Buffer.from(text));

function answerTo(acceptEncoding: string | undefined, served = file) {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };

  return staticAnswer({ headers } as unknown as APIGatewayProxyEventV2, served, {
    cacheControl: caching.briefly,
  });
}

describe('staticAnswer', () => {
  it.each([
    'gzip',
    'gzip, deflate, br, zstd',
    'deflate, GZIP;q=0.5',
    'x-gzip',
    '*',
    'br;q=1, *;q=0.1',
    'identity;q=0.5, gzip',
    'identity;q=0.5, gzip;q=0.5',
    'identity;q=0, gzip;q=0.001',
    'gzip ; q=1.000',
  ])('compresses for %s', (acceptEncoding) => {
    const { headers, body } = answerTo(acceptEncoding);

    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'origin, accept-encoding' });
    expect(gunzipSync(Buffer.from(body ?? '', 'base64')).toString()).toBe(text);
  });

  it.each([
    undefined,
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip; Q=0',
    '*;q=0',
    'gzip;q=0, *',
    'identity, gzip;q=0.5',
    'gzip;q=x',
    'gzipped',
    'deflate, br;q=1.0',
  ])('does not compress for %s', (acceptEncoding) => {
    const { headers, body } = answerTo(acceptEncoding);

    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers?.vary).toBe('origin, accept-encoding');
    expect(Buffer.from(body ?? '', 'base64').toString()).toBe(text);
  });

  it.each(['page.html', 'small.html', 'image.png'])('varies by the header: %s', (name) => {
    const content = Buffer.from(name === 'small.html' ? 'small' : text);
    const { headers } = answerTo('gzip', staticFile(name, content));

    expect(headers?.vary).toBe('origin, accept-encoding');
    expect(headers?.['content-encoding']).toBe(name === 'page.html' ? 'gzip' : undefined);
  });
});
