import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { config } from '#lib/platform/config.ts';
import { decrypt, encrypt, isUnderNewestKey } from '#lib/platform/crypto/encryption.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { type SealedField, sealedFields } from './sealed-fields.ts';

type Item = Key & Readonly<Record<string, unknown>>;

export type RotationReport = {
  /** The number of items that were re-encrypted with the newest key. */
  readonly rotated: number;
  /** The number of items that changed concurrently and need another pass. */
  readonly overtaken: number;
  /** The keys of items that no encryption key of the secret can decrypt. */
  readonly unreadable: readonly Key[];
};

const atOnce = 8;
const maxPasses = 5;

/**
 * Re-encrypts every long-lived ciphertext in the table with the newest key while the service runs.
 * Concurrent changes are kept. Each ciphertext contains its key id, so the rotation can be
 * interrupted and restarted at any time.
 */
export async function rotateKeys(): Promise<RotationReport> {
  let rotated = 0;
  for (let pass = 1; ; pass += 1) {
    const report = await rotateOnce();
    rotated += report.rotated;
    if (report.overtaken === 0 || pass === maxPasses) {
      return { ...report, rotated };
    }
  }
}

async function rotateOnce(): Promise<RotationReport> {
  let rotated = 0;
  let overtaken = 0;
  const unreadable: Key[] = [];
  for await (const items of pages()) {
    const outcomes = await atMostAtOnce(atOnce, items, rotateItem);
    rotated += outcomes.filter((outcome) => outcome === 'rotated').length;
    overtaken += outcomes.filter((outcome) => outcome === 'overtaken').length;
    unreadable.push(
      ...items
        .filter((_, index) => outcomes[index] === 'unreadable')
        .map(({ pk, sk }) => ({ pk, sk })),
    );
  }

  return { rotated, overtaken, unreadable };
}

async function* pages(): AsyncGenerator<readonly Item[], void, undefined> {
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient.send(
      new ScanCommand({
        TableName: config.tableName,
        ConsistentRead: true,
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    yield Items as Item[];
    startKey = LastEvaluatedKey;
  } while (startKey);
}

type Outcome = 'rotated' | 'unchanged' | 'overtaken' | 'unreadable';

async function rotateItem(item: Item): Promise<Outcome> {
  const old: SealedField[] = [];
  for (const field of sealedFields(item)) {
    if (!(await isUnderNewestKey(field.ciphertext))) {
      old.push(field);
    }
  }
  if (old.length === 0) {
    return 'unchanged';
  }
  const set = await reencrypt(old).catch(() => undefined);
  if (!set) {
    return 'unreadable';
  }
  try {
    const isAsRead = allOf(...old.map(({ name, ciphertext }) => equals(name, ciphertext)));
    await write(change(item, { set, when: isAsRead }));

    return 'rotated';
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return 'overtaken';
    }
    throw failure;
  }
}

async function reencrypt(fields: readonly SealedField[]): Promise<Record<string, string>> {
  const sealed = await Promise.all(
    fields.map(async ({ name, ciphertext, context }) => {
      const plaintext = await decrypt(ciphertext, context);

      return [name, await encrypt(plaintext, context)] as const;
    }),
  );

  return Object.fromEntries(sealed);
}
