import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { type RequestOptions, request as requestByHttps } from 'node:https';
import { pipeline, type Readable, Transform } from 'node:stream';
import { OutboundError } from './outbound-error.ts';
import { checkedLookup } from './public-address.ts';
import { hostOf, isExempt, publicUrlProblem } from './public-url.ts';

export type PublicRequest = {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total timeout, from the DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
};

export type PublicResponse = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /**
   * Read it to its end or destroy it. Fails with an OutboundError on a timeout, a broken
   * connection, or a body that is too large.
   */
  readonly body: Readable;
};

/**
 * Requests a user-supplied URL with SSRF protection. Allows only https, connects only to the
 * checked addresses, follows no redirects (a 3xx is returned unchanged), and limits time and size.
 * Origins in WEBHOOK_ALLOWED_ORIGINS may use http and any address.
 *
 * @throws only OutboundError.
 */
export async function fetchPublic(target: string, request: PublicRequest): Promise<PublicResponse> {
  const problem = publicUrlProblem(target);
  if (problem) {
    throw new OutboundError('forbidden', `The URL ${problem}`);
  }
  const signal = AbortSignal.timeout(request.timeoutMs);
  const answer = await send(new URL(target), request, signal);
  const length = Number(answer.headers['content-length'] ?? 0);
  if (length > request.maxBytes && request.method !== 'HEAD') {
    answer.destroy();
    throw tooLarge(request);
  }

  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: boundedBody(answer, request, signal),
  };
}

export async function readBody(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
  }

  return Buffer.concat(chunks);
}

function optionsFor(url: URL, { method = 'GET', headers, body }: PublicRequest): RequestOptions {
  const own = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };

  return {
    method,
    host: hostOf(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { 'accept-encoding': 'identity', ...headers, ...own },
    // No connection reuse: a pooled connection may come from an earlier DNS lookup.
    agent: false,
    ...(isExempt(url) ? {} : { lookup: checkedLookup }),
  };
}

function send(url: URL, request: PublicRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const connect = url.protocol === 'https:' ? requestByHttps : requestByHttp;

  return new Promise((resolve, reject) => {
    const sent = connect({ ...optionsFor(url, request), signal });
    sent.once('response', resolve);
    sent.on('error', (failure) => reject(translated(failure, signal)));
    // A response that switches protocols closes without an error event. After any other response,
    // this does nothing.
    sent.once('close', () => reject(new OutboundError('unreachable', 'No response')));
    sent.end(request.body);
  });
}

function boundedBody(
  answer: IncomingMessage,
  request: PublicRequest,
  signal: AbortSignal,
): Readable {
  let size = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.byteLength;
      done(size > request.maxBytes ? tooLarge(request) : null, chunk);
    },
    destroy(failure, done) {
      done(failure && translated(failure, signal));
    },
  });
  // Errors are delivered to the reader of the body.
  pipeline(answer, bounded, () => undefined);

  return bounded;
}

function tooLarge({ maxBytes }: PublicRequest): OutboundError {
  return new OutboundError('tooLarge', `The response is larger than ${maxBytes} bytes`);
}

function translated(failure: Error, signal: AbortSignal): OutboundError {
  if (failure instanceof OutboundError) {
    return failure;
  }
  if (signal.aborted) {
    return new OutboundError('timeout', 'The response did not complete in time', failure);
  }

  return new OutboundError('unreachable', 'The connection failed', failure);
}
