import { afterAll, afterEach } from 'vitest';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';

/**
 * Starts a proxy in front of a test file's table. Its faults end after each test. Call it at the
 * top level of the file.
 */
export async function useProxy(): Promise<DynamoDbProxy> {
  const proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
  afterEach(() => proxy.faults.clear());
  afterAll(() => proxy.close());

  return proxy;
}
