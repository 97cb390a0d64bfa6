import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { type Write, write } from '#lib/platform/db/write.ts';

/**
 * Writes a test's initial items. New items are written in a batch, which takes a third of the time
 * of a transaction and cannot conflict here. Uses the service's own client, because some tests
 * record its calls.
 */
export async function plant(...writes: readonly Write[]): Promise<void> {
  const created = writes.filter(({ kind }) => kind === 'create');
  const others = writes.filter(({ kind }) => kind !== 'create');
  const requests = created.map(({ key, item }) => ({ PutRequest: { Item: { ...item, ...key } } }));
  await Promise.all([
    documentClient.send(new BatchWriteCommand({ RequestItems: { [config.tableName]: requests } })),
    write(...others),
  ]);
}
