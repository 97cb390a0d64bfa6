import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readProjectFile } from '#lib/platform/project-file.ts';
import type { HttpAnswer } from './request.ts';

/** A file that is served unchanged. */
export type StaticFile = {
  readonly content: Buffer;
  readonly contentType: string;
  readonly version: string;
  readonly compressed: () => Buffer;
};

export const caching = {
  /** May be stored, but must be revalidated on every use. */
  revalidated: 'no-cache',
  /** The same for files that not everybody may see. */
  revalidatedInPrivate: 'private, no-cache',
  /** For documents that change only with a deployment. */
  briefly: 'public, max-age=300',
  /** For URLs that contain the version, so their content never changes. */
  immutable: 'public, max-age=31536000, immutable',
} as const;

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

/** Serves a file of the project. The contract of the function must list it under `assets`. */
export function readStaticFile(path: string): StaticFile {
  return staticFile(path, readProjectFile(path));
}

/** Derives the content type from the file extension. */
export function staticFile(name: string, content: Buffer): StaticFile {
  let compressed: Buffer | undefined;

  return {
    content,
    contentType: contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    version: createHash('sha256').update(content).digest('hex').slice(0, 16),
    compressed: () => {
      compressed ??= gzipSync(content, { level: 9 });

      return compressed;
    },
  };
}

type StaticAnswerOptions = {
  readonly cacheControl: (typeof caching)[keyof typeof caching];
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Serves the file, gzipped if the client accepts that. Returns 304 if the client has this version.
 */
export function staticAnswer(
  { headers }: APIGatewayProxyEventV2,
  file: StaticFile,
  options: StaticAnswerOptions,
): HttpAnswer {
  const etag = `W/"${file.version}"`;
  const common = {
    ...options.headers,
    etag,
    'cache-control': options.cacheControl,
    vary: 'origin, accept-encoding',
  };
  if (names(headers['if-none-match'], etag)) {
    return { statusCode: 304, headers: common };
  }
  const isCompressed = isCompressible(file) && prefersGzip(headers['accept-encoding']);
  const body = isCompressed ? file.compressed() : file.content;

  return {
    statusCode: 200,
    headers: {
      ...common,
      'content-type': file.contentType,
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
    body: body.toString('base64'),
    isBase64Encoded: true,
  };
}

function isCompressible({ contentType, content }: StaticFile): boolean {
  return contentType !== 'image/png' && content.length > 1_000;
}

/** True if a tag matches. Weak and strong tags are compared alike. */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}

/** Does not compress without the header, or if the client prefers `identity`. RFC 9110, 12.5.3. */
function prefersGzip(acceptEncoding = ''): boolean {
  const weights = new Map(acceptEncoding.split(',').map(weightOf));
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;

  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Returns a content coding and its weight, which is 0 if it is not a number. */
function weightOf(entry: string): readonly [string, number] {
  const [coding = '', ...parameters] = entry
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));

  return [coding, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
