import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';

/**
 * Starts a proxy in front of the table and loads the service's data layer with its address. Reads
 * through `tests/support/table.ts` bypass the proxy.
 */
export async function loadDataLayer() {
  const proxy: DynamoDbProxy = await startDynamoDbProxy({
    target: String(process.env.DYNAMODB_ENDPOINT),
    seed: 11,
  });
  process.env.DYNAMODB_ENDPOINT = proxy.endpoint;
  const [read, write, removal, list] = await Promise.all([
    import('#lib/platform/db/read.ts'),
    import('#lib/platform/db/write.ts'),
    import('#lib/platform/db/remove-many.ts'),
    import('#lib/platform/db/lists/list.ts'),
  ]);

  return { proxy, ...read, ...write, ...removal, ...list };
}
