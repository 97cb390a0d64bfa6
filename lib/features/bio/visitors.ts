import { createHmac, randomBytes } from 'node:crypto';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { bioKeys } from '#lib/platform/db/keys/bio.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, write } from '#lib/platform/db/write.ts';

const saltBytes = 32;
const saltTtlSeconds = (2 * dayMs) / 1_000;

let known: { readonly day: string; readonly salt: string } | undefined;

/**
 * Returns an identifier of the visitor that is valid for one day: a keyed hash of the IP address
 * and user agent. The key is random, shared by all instances, and expires after two days, so
 * visitors cannot be identified afterwards.
 */
export async function visitorOf(clientIp: string, userAgent: string): Promise<string> {
  const salt = await saltOf(timestamp().slice(0, 10));

  return createHmac('sha256', salt).update(`${clientIp}\n${userAgent}`).digest('base64url');
}

/** Loads the key in advance. Never throws. */
export async function prepareVisitors(): Promise<void> {
  await saltOf(timestamp().slice(0, 10)).catch(() => undefined);
}

async function saltOf(day: string): Promise<string> {
  if (known?.day !== day) {
    known = { day, salt: (await findSalt(day)) ?? (await makeSalt(day)) };
  }

  return known.salt;
}

async function findSalt(day: string): Promise<string | undefined> {
  return (await get<{ salt: string }>(bioKeys.visitorSalt(day)))?.salt;
}

async function makeSalt(day: string): Promise<string> {
  const salt = randomBytes(saltBytes).toString('base64url');
  try {
    const expiresAtSeconds = epochSeconds(saltTtlSeconds);
    await write(create(bioKeys.visitorSalt(day), { salt, expiresAtSeconds }));

    return salt;
  } catch (failure) {
    const other = failure instanceof ConditionNotMetError ? await findSalt(day) : undefined;
    if (other === undefined) {
      throw failure;
    }

    return other;
  }
}
