import { afterAll, afterEach, inject } from 'vitest';
import { beginFile } from './begin-file.ts';
import { startOwnServices } from './own-services.ts';

// Runs before a test file imports the service, because clients are created at load time.
beginFile({
  ...inject('environment'),
  // DynamoDB Local handles requests with the same access key sequentially, so each worker has its
  // own.
  AWS_ACCESS_KEY_ID: `worker${process.env.VITEST_POOL_ID}`,
});
const services = await startOwnServices();
Object.assign(process.env, services.environment);

afterAll(services.close);

const { keepLog } = await import('./log-book.ts');
keepLog();

// Closes circuits, so that tests do not affect each other.
const { closeCircuits } = await import('#lib/platform/circuit-breaker.ts');
afterEach(closeCircuits);
