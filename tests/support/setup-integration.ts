import { afterAll, afterEach, inject } from 'vitest';
import { beginFile } from './begin-file.ts';
import { startOwnServices } from './own-services.ts';

// Before a test file imports the service, whose clients are made as it loads.
beginFile({
  ...inject('environment'),
  // The database makes what is asked under one key wait in one line: each worker has its own.
  AWS_ACCESS_KEY_ID: `worker${process.env.VITEST_POOL_ID}`,
});
const services = await startOwnServices();
Object.assign(process.env, services.environment);

afterAll(services.close);

const { keepLog } = await import('./log-book.ts');
keepLog();

// What one test has done to a vendor is not for the next to feel.
const { closeCircuits } = await import('#lib/platform/circuit-breaker.ts');
afterEach(closeCircuits);
