// Runs in a separate process: it loads the client with another endpoint
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectMedia } from '#lib/features/media/processing/inspect-media.ts';
import { box, movieIndex, position, positionUserData } from '#tests/support/media-files.ts';

const index = movieIndex({ metadata: [positionUserData()] });
const start = box('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1'));
const bytes = 1_000_000_000;

/** A storage with a video of a gigabyte, which it creates on demand. */
let server: Server;
const uploaded: Buffer[] = [];
const copied: string[] = [];
let downloadedBytes = 0;
let completions = 0;
/** Loses the response to the first completion, and forgets the upload, as S3 does afterwards. */
let losesCompletion = false;

function contentOf(from: number, until: number): Buffer {
  const content = Buffer.alloc(until - from);
  const mediaHeader = Buffer.alloc(8);
  mediaHeader.writeUInt32BE(bytes - start.length - index.length);
  mediaHeader.write('mdat', 4);
  for (const [at, part] of [
    [0, start],
    [start.length, mediaHeader],
    [bytes - index.length, index],
  ] as const) {
    const [first, last] = [Math.max(at, from), Math.min(at + part.length, until)];
    if (first < last) {
      part.copy(content, first - from, first - at, last - at);
    }
  }

  return content;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }

  return Buffer.concat(chunks);
}

type Answer = { readonly status: number; readonly body: string | Buffer };

/** Answers like a storage that completed an upload whose response was lost. */
function answerLate({ method, url = '' }: IncomingMessage): Answer | undefined {
  if (method === 'GET' && url.includes('list-type=2')) {
    const file = '<Contents><Key>uploads/2</Key><Size>2</Size><ETag>"a"</ETag></Contents>';

    return {
      status: 200,
      body: `<ListBucketResult>${completions > 0 ? file : ''}</ListBucketResult>`,
    };
  }
  if (method === 'POST' && url.includes('uploadId=')) {
    completions += 1;

    return {
      status: completions === 1 ? 0 : 404,
      body: '<Error><Code>NoSuchUpload</Code></Error>',
    };
  }

  return undefined;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const late = losesCompletion ? answerLate(request) : undefined;
  if (late) {
    return late;
  }
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  if (range) {
    const content = contentOf(Number(range[1]), Number(range[2]) + 1);
    downloadedBytes += content.length;

    return { status: 206, body: content };
  }
  const copiedRange = request.headers['x-amz-copy-source-range'];
  if (copiedRange) {
    copied.push(String(copiedRange));

    return { status: 200, body: '<CopyPartResult><ETag>"b"</ETag></CopyPartResult>' };
  }
  const body = await bodyOf(request);
  if (request.method === 'PUT') {
    uploaded.push(body);
  }

  return {
    status: 200,
    body: '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>',
  };
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    if (status === 0) {
      request.socket.destroy();

      return;
    }
    response.writeHead(status, { etag: '"a"', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(process.env, {
    S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    FILES_BUCKET: 'files',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('removing the location from a video of a gigabyte keeps one part in memory', async () => {
  const { copyPatched, readRange } = await import('#lib/platform/storage/stored-files.ts');
  const source = { key: 'uploads/1', bytes, etag: '"a"' };
  const before = process.memoryUsage.rss();
  const { patches } = await inspectMedia({
    bytes,
    read: (from, until) => readRange(source, from, until),
  });
  const target = { key: 'media/1', contentType: 'video/mp4', downloadName: '1.mp4' };
  await copyPatched(source, target, patches);

  const last = uploaded.at(-1) ?? Buffer.alloc(0);
  expect(uploaded).toHaveLength(1);
  expect(last.includes(position)).toBe(false);
  expect(last.includes('Engine')).toBe(true);
  const copiedBytes = copied
    .map((range) => /^bytes=(\d+)-(\d+)$/.exec(range) ?? [])
    .reduce((sum, [, first, end]) => sum + Number(end) - Number(first) + 1, 0);
  expect(copiedBytes + last.length).toBe(bytes);
  expect(downloadedBytes).toBeLessThan(10_000_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
});

it('joins files whose completion succeeded although its response was lost', async () => {
  losesCompletion = true;
  const { joinFiles } = await import('#lib/platform/storage/stored-files.ts');
  const parts = ['uploads/2/0000', 'uploads/2/0001'].map((key) => ({ key, bytes: 1, etag: '"a"' }));
  const target = { key: 'uploads/2', contentType: 'video/mp4', downloadName: '2' };

  await expect(joinFiles(parts, target)).resolves.toBeUndefined();
  expect(completions).toBe(2);
});
