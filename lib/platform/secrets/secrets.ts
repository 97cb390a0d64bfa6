import { createSecretKey } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { platforms } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';

/** Made once for all that has such a field: making schemas is a good part of a cold start. */
const text = z.string().min(1);
const optionalText = text.optional();

const key = z
  .base64()
  .transform((value) => Buffer.from(value, 'base64'))
  .refine(({ length }) => length >= 32, { error: 'must have at least 32 bytes' });

/** As bytes, the library of tokens would try to read a public key in them, at every use. */
const signingKey = key.transform((bytes) => createSecretKey(bytes));

/** What a network gave this service when it was registered there as an app. */
const networkApp = z.object({
  /** App id, client key. */
  clientId: text,
  /** The app's number where that is another one than the client id: LinkedIn's subscriptions ask. */
  appId: optionalText,
  /** Signs the network's events too, where `webhookSecret` is not set. */
  clientSecret: text,
  webhookSecret: optionalText,
  /** What the network must send in its handshake (`hub.verify_token`). */
  verifyToken: optionalText,
  /** The app's own token, for what is administered without a user. */
  appToken: optionalText,
});

export type NetworkApp = z.output<typeof networkApp>;

/** The one secret document. The first key of a list is used, all of them are still accepted. */
const secretDocument = z.object({
  jwtKeys: z.array(z.object({ kid: text, secret: signingKey })).min(1),
  encryptionKeys: z
    .array(
      z.object({
        id: text,
        key: key.refine(({ length }) => length === 32, { error: 'must have 32 bytes' }),
      }),
    )
    .min(1),
  stripeSecretKey: text,
  /** Any of them may have signed an event of the payment provider. */
  stripeWebhookSecrets: z.array(text).default([]),
  openaiApiKey: optionalText,
  /** A network that is missing here cannot be connected. */
  networks: z.partialRecord(z.enum(platforms), networkApp).default({}),
});

export type Secrets = z.output<typeof secretDocument>;

/** For so long a rotated secret may go unnoticed, where nothing asks for a key that is not known. */
const maxAgeMs = 5 * minuteMs;
/** While it cannot be read, it is asked for no more often than this. */
const retryAfterMs = 30_000;
/** An unknown key id makes the secret be read again, but no more often than this. */
const minAgeMs = 10_000;

const client = new SecretsManagerClient({
  ...clientSettings({
    endpoint: config.secretsManagerEndpoint,
    connectMs: secondMs,
    requestMs: 3 * secondMs,
    maxAttempts: 2,
  }),
});

let cached: { readonly secrets: Secrets; readonly readAt: number } | undefined;
let reading: Promise<Secrets> | undefined;

/** Without the stock message for what is no JSON, which quotes it and would end up in the log. */
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
  cached = { secrets, readAt: now() };

  return secrets;
}

function readOnce(): Promise<Secrets> {
  reading ??= readSecrets().finally(() => {
    reading = undefined;
  });

  return reading;
}

/**
 * The service's secrets, from Secrets Manager, kept in memory for five minutes. While Secrets
 * Manager is down, the ones that are known go on being used.
 */
export async function getSecrets(): Promise<Secrets> {
  if (cached && now() - cached.readAt < maxAgeMs) {
    return cached.secrets;
  }
  const known = cached?.secrets;
  if (!known) {
    return readOnce();
  }

  return readOnce().catch((failure: unknown) => {
    logger.error('The secret cannot be read; the one that is known goes on being used', {
      failure: describeFailure(failure),
    });
    cached = { secrets: known, readAt: now() - maxAgeMs + retryAfterMs };

    return known;
  });
}

/**
 * The secrets as they are now, for a key id that the ones in memory do not have: after a rotation
 * another instance may have signed or encrypted with a key that this one has not seen.
 */
export async function getFreshSecrets(): Promise<Secrets> {
  if (cached && now() - cached.readAt < minAgeMs) {
    return cached.secrets;
  }

  return readOnce();
}

/** Reads the secret now, to see whether that is possible. */
export async function probeSecrets(): Promise<void> {
  await readOnce();
}

/** Forgets what was read. For tests that rotate keys. */
export function forgetSecrets(): void {
  cached = undefined;
}
