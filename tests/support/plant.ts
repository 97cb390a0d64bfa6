import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { type Write, write } from '#lib/platform/db/write.ts';

/**
 * Writes what a test starts with. What is created goes in one batch, at a third of what a
 * transaction costs: nobody else wants the same keys. By the service's own client, as some tests
 * listen to it, to know what there is.
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
