import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { decrypt } from '#lib/platform/crypto/encryption.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { sealedFields } from './sealed-fields.ts';

type Item = Key & Readonly<Record<string, unknown>>;

export type UnreadableReport = {
  /** The number of long-lived ciphertexts: tokens of social accounts and webhook secrets. */
  readonly sealed: number;
  /** The keys of items that no encryption key of the secret can decrypt. */
  readonly unreadable: readonly Key[];
};

/** Tries to decrypt every long-lived ciphertext of the table. Changes nothing. */
export async function findUnreadable(): Promise<UnreadableReport> {
  let sealed = 0;
  const unreadable: Key[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient.send(
      new ScanCommand({
        TableName: config.tableName,
        ConsistentRead: true,
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    for (const item of Items as Item[]) {
      const fields = sealedFields(item);
      sealed += fields.length;
      const texts = fields.map(({ ciphertext, context }) => decrypt(ciphertext, context));
      const outcomes = await Promise.allSettled(texts);
      if (outcomes.some(({ status }) => status === 'rejected')) {
        unreadable.push({ pk: item.pk, sk: item.sk });
      }
    }
    startKey = LastEvaluatedKey;
  } while (startKey);

  return { sealed, unreadable };
}
