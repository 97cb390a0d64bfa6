import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import { throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import { readBounded } from '#lib/platform/outbound/read-bounded.ts';

type Keys = {
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly expiresAtMs: number;
};

/** A token with a random key id must not cause a fetch each time. */
const minRefetchMs = minuteMs;
/** A wrong header must not keep withdrawn keys for weeks. */
const maxAgeMs = 24 * 60 * minuteMs;
const maxBytes = 100_000;

let keys: Keys | undefined;
let fetchedAtMs = Number.NEGATIVE_INFINITY;
let fetching: Promise<Keys> | undefined;

/**
 * Returns Google's key for a token's header. Keys are cached per instance for as long as Google's
 * headers allow. An unknown key id fetches them early, at most once a minute.
 *
 * @throws JWKSNoMatchingKey if Google has no such key, or a 502 if its keys are unavailable.
 */
export async function findGoogleKey(
  header: JWSHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey> {
  const current = keys && keys.expiresAtMs > now() ? keys : await fetchOnce();
  try {
    return await current.find(header, token);
  } catch (failure) {
    if (!(failure instanceof errors.JWKSNoMatchingKey) || now() - fetchedAtMs < minRefetchMs) {
      throw failure;
    }
  }

  return (await fetchOnce()).find(header, token);
}

/** Concurrent sign-ins share one fetch. */
function fetchOnce(): Promise<Keys> {
  fetching ??= fetchKeys().finally(() => {
    fetching = undefined;
  });

  return fetching;
}

async function fetchKeys(): Promise<Keys> {
  fetchedAtMs = now();
  try {
    keys = await throughCircuit('google', fetchAnswer, { inFailure: () => true });
  } catch (cause) {
    throw upstream('google', cause);
  }

  return keys;
}

async function fetchAnswer(): Promise<Keys> {
  const response = await fetch(config.google.certsUrl, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(config.networkTimeoutMs),
  });
  const text = response.body ? await readBounded(response.body, maxBytes) : '';
  if (!response.ok) {
    throw new Error(`Google answered ${response.status} instead of its keys`);
  }

  return {
    find: createLocalJWKSet(JSON.parse(text) as JSONWebKeySet),
    expiresAtMs: now() + lifetimeMs(response.headers),
  };
}

/** Without a usable header, the keys are kept for `minRefetchMs`. */
function lifetimeMs(headers: Headers): number {
  const control = headers.get('cache-control') ?? '';
  const maxAgeSeconds = Number(/(?:^|[\s,])max-age=(\d+)/i.exec(control)?.[1] ?? 0);
  const ageSeconds = Number(headers.get('age') ?? 0) || 0;

  return Math.min(Math.max((maxAgeSeconds - ageSeconds) * secondMs, minRefetchMs), maxAgeMs);
}

/** Forgets the keys. For tests. */
export function forgetGoogleKeys(): void {
  keys = undefined;
  fetchedAtMs = Number.NEGATIVE_INFINITY;
}
