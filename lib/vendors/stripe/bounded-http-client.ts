import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestByHttp,
} from 'node:http';
import { request as requestByHttps, Agent as SecureAgent } from 'node:https';
import { performance } from 'node:perf_hooks';
import Stripe from 'stripe';
import { readBounded } from '#lib/platform/outbound/read-bounded.ts';

/** About ten times the size of a list of 100 invoices. */
const maxBytes = 8 * 1024 * 1024;

/** The number of attempts of a call, and of those that may have had an effect at the provider. */
export type PossibleEffects = { tries: number; count: number };

const ofCall = new AsyncLocalStorage<PossibleEffects>();

export function countEffects<T>(effects: PossibleEffects, call: () => Promise<T>): Promise<T> {
  return ofCall.run(effects, call);
}

type Request = Parameters<Stripe.HttpClient['makeRequest']>;

/**
 * Limits the time and size of each attempt, from the connection to the last byte of the response.
 * The SDK's own client only limits the idle time between two bytes. Time in which this process is
 * busy does not count, because hashing would use up the limit during a burst of signups.
 */
export class BoundedHttpClient extends Stripe.HttpClient {
  readonly #plain = new Agent({ keepAlive: true });
  readonly #secure = new SecureAgent({ keepAlive: true });

  override getClientName(): string {
    return 'node';
  }

  override makeRequest(...[host, port, path, method, headers, body, protocol, timeoutMs]: Request) {
    const place = { host, port, path, method, headers };

    return new Promise<BoundedAnswer>((resolve, reject) => {
      const sent =
        protocol === 'http'
          ? requestByHttp({ ...place, agent: this.#plain })
          : requestByHttps({ ...place, agent: this.#secure });
      noteEffect(sent);
      const cancel = startIdleDeadline(timeoutMs, () => {
        sent.destroy(Stripe.HttpClient.makeTimeoutError());
      });
      sent.once('close', cancel);
      sent.once('response', (answer) => resolve(new BoundedAnswer(answer)));
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/**
 * Calls `expire` when the process has been idle for this long. Time for computations, such as
 * hashing passwords, is not counted, because a response may be waiting to be read.
 *
 * @returns a function that cancels the deadline.
 */
export function startIdleDeadline(limitMs: number, expire: () => void): () => void {
  const start = performance.eventLoopUtilization();
  const check = () => {
    const { idle } = performance.eventLoopUtilization(start);
    if (idle >= limitMs) {
      expire();
    } else {
      timer = setTimeout(check, limitMs - idle);
    }
  };
  let timer = setTimeout(check, limitMs);

  return () => clearTimeout(timer);
}

/** Without a connection, nothing was sent. A 4xx response means that nothing was done. */
function noteEffect(sent: ClientRequest): void {
  const effects = ofCall.getStore();
  if (!effects) {
    return;
  }
  effects.tries += 1;
  const reached = () => {
    effects.count += 1;
  };
  sent.once('socket', (socket) => {
    if (socket.connecting) {
      socket.once('connect', reached);
    } else {
      reached();
    }
  });
  sent.once('response', ({ statusCode = 0 }) => {
    if (statusCode >= 400 && statusCode < 500) {
      effects.count -= 1;
    }
  });
}

class BoundedAnswer extends Stripe.HttpClientResponse {
  readonly #answer: IncomingMessage;

  constructor(answer: IncomingMessage) {
    super(answer.statusCode ?? 0, answer.headers as Record<string, string | string[]>);
    this.#answer = answer;
    // Prevents an unhandled error if nobody reads the body. Readers still get the error.
    answer.on('error', () => undefined);
  }

  override getRawResponse(): IncomingMessage {
    return this.#answer;
  }

  override async toJSON(): Promise<object> {
    const text = await readBounded(this.#answer, maxBytes).catch((failure: unknown) => {
      throw Stripe.HttpClient.makeResponseBodyError(failure);
    });
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('object' in value || 'error' in value)) {
      throw new Error('The answer is none of the payment provider');
    }

    return value;
  }

  /** Discards the unread body before a retry. */
  dispose(): void {
    this.#answer.destroy();
  }
}
