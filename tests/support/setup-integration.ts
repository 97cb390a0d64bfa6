import { afterAll, afterEach, inject } from 'vitest';
import './resolve-nothing.ts';
import { beginFile, endTest } from './begin-file.ts';
import { isJudged } from './judge.ts';
import { startOwnServices } from './own-services.ts';
import { startWorkersTable } from './own-table.ts';

// Runs before a test file imports the service, because clients are created at load time.
beginFile({
  ...inject('environment'),
  ...(isJudged
    ? // DynamoDB Local handles requests with the same access key sequentially.
      { AWS_ACCESS_KEY_ID: `worker${process.env.VITEST_POOL_ID}` }
    : { DYNAMODB_ENDPOINT: await startWorkersTable() }),
});
const services = await startOwnServices();
Object.assign(process.env, services.environment);

afterAll(services.close);

const { keepLog } = await import('./log-book.ts');
keepLog();

// Prevents that tests affect each other.
const { closeCircuits } = await import('#lib/platform/circuit-breaker.ts');
afterEach(() => {
  endTest();
  closeCircuits();
});
