import type { TestProject } from 'vitest/node';
import { buildWeb } from '#scripts/build/web/build-web.ts';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { startServices } from '#scripts/dev/stack/services.ts';
import { closeTogether } from '#scripts/dev/stack/start-together.ts';
import { startJudge } from './judge.ts';
import { patientLimits } from './patience.ts';

/** bcrypt's lowest cost, because these tests do not depend on hash strength. */
const settings = {
  STAGE: 'test',
  TABLE_NAME: 'social-leads-test',
  SECRET_ID: 'social-leads/test',
  BCRYPT_COST: '4',
  // Answers are due immediately. Tests of delayed answers set another value.
  REPLY_QUIET_SECONDS: '0',
  ...patientLimits,
  LOG_LEVEL: 'CRITICAL',
  // Tests count DynamoDB calls. Tests of metrics write metrics themselves. At these limits, one
  // request in ten million writes to a counter.
  METRICS_FLUSH_SECONDS: '0',
  REQUEST_LIMIT_PER_USER: '1000000000',
  REQUEST_LIMIT_PER_ORGANIZATION: '1000000000',
  PUBLIC_LIMIT_PER_IP: '1000000000',
  DOCUMENT_LIMIT_PER_IP: '1000000000',
  APP_LIMIT_PER_IP: '1000000000',
  WEBHOOK_LIMIT_PER_IP: '1000000000',
  // Some test files create many organizations with one user.
  QUOTA_ORGANIZATIONS_PER_USER: '1000000',
};

declare module 'vitest' {
  interface ProvidedContext {
    readonly environment: Readonly<Record<string, string>>;
  }
}

type Running = {
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** All test projects share it, and each of them loads this file separately. */
const shared = globalThis as { integrationServices?: Running };

/**
 * Starts the servers that all integration tests share. Each file has a separate table and queues.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const known = shared.integrationServices;
  const { environment, close } = known ?? (await start());
  shared.integrationServices = { environment, close };
  project.provide('environment', environment);

  return known ? async () => {} : close;
}

async function start(): Promise<Running> {
  const judge = await startJudge();
  const all = { ...settings, ...judge.settings };
  await buildWeb();
  const services = await startServices({
    ports: { dynamodb: 0, aws: 0, sandbox: 0 },
    settings: all,
  });
  const api = 'http://localhost:3000';

  return {
    environment: localEnvironment({ ...services.addresses, api }, all),
    close: () => closeTogether([services, judge]),
  };
}
