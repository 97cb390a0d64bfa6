import { createSecretKey } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { platforms } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';

/** Shared schemas, because creating schemas is a significant part of a cold start. */
const text = z.string().min(1);
const optionalText = text.optional();

const key = z
  .base64()
  .transform((value) => Buffer.from(value, 'base64'))
  .refine(({ length }) => length >= 32, { error: 'must have at least 32 bytes' });

/** A KeyObject, because the JWT library would try to parse bytes as a public key on every use. */
const signingKey = key.transform((bytes) => createSecretKey(bytes));

/** Credentials that a network issued for one of our apps. */
const credentials = {
  /** App id or client key. */
  clientId: text,
  /** Also signs the network's events, unless `webhookSecret` is set. */
  clientSecret: text,
  webhookSecret: optionalText,
};

export const networkApp = z.object({
  ...credentials,
  /** The numeric app id. It differs from the client id, and LinkedIn's subscriptions need it. */
  appId: optionalText,
  /** TikTok's Business API has its own app, for messages and comments. */
  business: z.object(credentials).optional(),
  /** Expected in the network's handshake (`hub.verify_token`). */
  verifyToken: optionalText,
  /** The app's own token, for administration without a user. */
  appToken: optionalText,
});

export type NetworkApp = z.output<typeof networkApp>;

/** The secret document. The first key of a list is used for new data. All keys are accepted. */
export const secretDocument = z.object({
  jwtKeys: z.array(z.object({ kid: text, secret: signingKey })).min(1),
  encryptionKeys: z
    .array(
      z.object({
        id: text,
        key: key.refine(({ length }) => length === 32, { error: 'must have 32 bytes' }),
      }),
    )
    .min(1),
  /** Hashes the ids of people who must be recognized after their erasure. It must never change. */
  hashKey: key,
  stripeSecretKey: text,
  /** The payment provider's events may be signed with any of these. */
  stripeWebhookSecrets: z.array(text).default([]),
  openaiApiKey: optionalText,
  /** Keys for `/platform`, as the hexadecimal SHA-256 of each key. */
  operatorKeys: z
    .array(z.object({ id: text, sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .default([]),
  /** Networks without an entry cannot be connected. */
  networks: z.partialRecord(z.enum(platforms), networkApp).default({}),
});

export type Secrets = z.output<typeof secretDocument>;

/** Maximum cache age. An unknown key id triggers an earlier reload. */
const maxAgeMs = 5 * minuteMs;
/** Minimum interval between attempts while the secret cannot be read. */
const retryAfterMs = 30_000;
/** Minimum interval between reloads for unknown key ids. */
const minAgeMs = 10_000;

const client = new SecretsManagerClient({
  ...clientSettings({
    endpoint: config.secretsManagerEndpoint,
    connectMs: secondMs,
    requestMs: 3 * secondMs,
    maxAttempts: 2,
  }),
});

type Cached = { readonly secrets: Secrets; readonly readAt: number; readonly triedAt: number };

let cached: Cached | undefined;
let reading: Promise<Secrets> | undefined;

/** Replaces the default error message, which quotes the document and would leak it into the log. */
function parseJson(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    throw new Error('The secret is not valid JSON');
  }
}

async function readSecrets(): Promise<Secrets> {
  const answer = await client.send(new GetSecretValueCommand({ SecretId: config.secretId }));
  const secrets = secretDocument.parse(parseJson(answer.SecretString ?? 'null'));
  cached = { secrets, readAt: now(), triedAt: now() };

  return secrets;
}

function readOnce(): Promise<Secrets> {
  reading ??= readSecrets()
    .catch((failure: unknown) => {
      logAlarmingError('SecretUnreadable', 'The secret cannot be read', {
        isCached: cached !== undefined,
        failure: describeFailure(failure),
      });
      throw failure;
    })
    .finally(() => {
      reading = undefined;
    });

  return reading;
}

/** Returns the cached secrets if the secret cannot be read. */
async function readOrKeep(known: Cached | undefined): Promise<Secrets> {
  if (!known) {
    return readOnce();
  }

  return readOnce().catch(() => {
    cached = { ...known, triedAt: now() };

    return known.secrets;
  });
}

/**
 * Returns the secrets from Secrets Manager, cached for five minutes. If Secrets Manager is
 * unavailable, the cached secrets stay in use.
 */
export async function getSecrets(): Promise<Secrets> {
  if (cached && (now() - cached.readAt < maxAgeMs || now() - cached.triedAt < retryAfterMs)) {
    return cached.secrets;
  }

  return readOrKeep(cached);
}

/**
 * Reloads the secrets for an unknown key id. After a rotation, another instance may already use a
 * key that this instance has not loaded. Anybody can send an unknown key id, so failures are as rare
 * and as harmless as in `getSecrets`.
 */
export async function getFreshSecrets(): Promise<Secrets> {
  if (cached && now() - cached.triedAt < minAgeMs) {
    return cached.secrets;
  }

  return readOrKeep(cached);
}

export async function probeSecrets(): Promise<void> {
  await readOnce();
}

export function forgetSecrets(): void {
  cached = undefined;
}
