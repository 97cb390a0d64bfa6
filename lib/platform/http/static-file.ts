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
  /** For documents that change only with a deployment. */
  briefly: 'public, max-age=300',
  /** For URLs that contain the version, whose content never changes. */
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
  /**
   * Gzips texts even if the client does not announce that it accepts this. Every client can
   * decompress gzip, and large documents are up to twenty times as large without it.
   */
  readonly isAlwaysCompressed?: boolean;
  readonly cacheControl: (typeof caching)[keyof typeof caching];
  readonly headers?: Readonly<Record<string, string>>;
};

/** Serves the file, gzipped if the client accepts that, or 304 if the client has this version. */
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
    vary: options.isAlwaysCompressed ? 'origin' : 'origin, accept-encoding',
  };
  if (names(headers['if-none-match'], etag)) {
    return { statusCode: 304, headers: common };
  }
  const isCompressed =
    isCompressible(file) && (options.isAlwaysCompressed || acceptsGzip(headers['accept-encoding']));
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

/** True if a tag matches. Weak and strong tags are compared alike. */
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
