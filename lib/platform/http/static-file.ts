import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpAnswer } from './request.ts';

/** A file that is given out as it is. */
export type StaticFile = {
  readonly content: Buffer;
  readonly contentType: string;
  /** Of the content alone: another content has another version. */
  readonly version: string;
  readonly compressed: () => Buffer;
};

/** How long an answer may be used again. */
export const caching = {
  /** Kept, and asked for every time whether it is still the same. */
  revalidated: 'no-cache',
  /** What is named by its version never changes. */
  immutable: 'public, max-age=31536000, immutable',
} as const;

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Reads a file by its path in the project. This module lies as deep in the source tree as a
 * function's bundle does in its archive, which holds the file at the same path.
 */
export function readStaticFile(path: string): StaticFile {
  return staticFile(path, readFileSync(new URL(`../../../${path}`, import.meta.url)));
}

/** The end of the name says what kind of content it is. */
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

/** The file, compressed where the caller takes that; 304 where the caller has it already. */
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
  const isCompressed = isCompressible(file) && acceptsGzip(headers['accept-encoding']);
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
  return !contentType.startsWith('image/') && content.length > 1_000;
}

/** Whether one of the tags is this one; a weak tag and a strong one are the same here. */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? '').split(',').some((entry) => {
    const [coding, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));

    return coding === 'gzip' && !isRefused;
  });
}
