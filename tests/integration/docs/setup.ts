import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { handler as getDocs } from '#functions/docs/get-docs.ts';

type StaticCall = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly asset?: string;
  readonly version?: string;
};

/** Calls a handler of a static file. */
export async function call(
  handler: typeof getDocs,
  { headers = {}, asset, version }: StaticCall = {},
) {
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
  const sent = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');
  const isCompressed = answer.headers?.['content-encoding'] === 'gzip';
  const bytes = isCompressed ? gunzipSync(sent) : sent;

  return { ...answer, sent, bytes, headers: answer.headers ?? {} };
}

/** Returns the versions in the URLs of a page's assets. */
export function versionsIn(page: Buffer): ReadonlyMap<string, string> {
  return new Map(
    [...page.toString().matchAll(/docs\/([^"?]+)\?v=(\w+)/g)].map(([, name, version]) => [
      name ?? '',
      version ?? '',
    ]),
  );
}
