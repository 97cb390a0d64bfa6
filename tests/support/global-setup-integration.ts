import type { TestProject } from 'vitest/node';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { type Services, startServices } from '#scripts/dev/stack/services.ts';

/** Of the lowest cost that bcrypt knows: what a hash is worth is no matter of these tests. */
const settings = {
  STAGE: 'test',
  TABLE_NAME: 'social-leads-test',
  SECRET_ID: 'social-leads/test',
  BCRYPT_COST: '4',
  // Answers are due at once: what waits is tried by tests that say so.
  REPLY_QUIET_SECONDS: '0',
  // One database and one emulator of queues serve all test files at once, on a machine that may be
  // busy: work whose message does not go out in time is the sweep's, and few tests wait for that.
  // The vendors that a file calls share its process.
  TABLE_TIMEOUT_MS: '120000',
  QUEUE_TIMEOUT_MS: '60000',
  MAIL_TIMEOUT_MS: '60000',
  PAYMENT_TIMEOUT_MS: '30000',
  LOG_LEVEL: 'CRITICAL',
  // Tests count calls of the table; those of metrics write some themselves.
  METRICS_FLUSH_SECONDS: '0',
};

declare module 'vitest' {
  interface ProvidedContext {
    readonly environment: Readonly<Record<string, string>>;
  }
}

/** Where the projects of these tests, each of which loads this file for itself, find what runs. */
const shared = globalThis as { integrationServices?: Services };

/** The servers of all integration tests; each file has its own table and queues on them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = shared.integrationServices;
  const services = running ?? (await start());
  shared.integrationServices = services;
  const api = 'http://localhost:3000';
  project.provide('environment', localEnvironment({ ...services.addresses, api }, settings));

  return running ? async () => {} : services.close;
}

function start(): Promise<Services> {
  return startServices({
    ports: { dynamodb: 0, aws: 0, sandbox: 0 },
    settings,
    isBusy: true,
  });
}
