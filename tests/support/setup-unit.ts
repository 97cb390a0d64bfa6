import { afterEach } from 'vitest';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { beginFile, endTest } from './begin-file.ts';

// Nothing listens on this port, so unit tests that make network calls fail.
const nowhere = 'http://127.0.0.1:9';

beginFile(
  localEnvironment(
    { api: 'http://localhost:3000', dynamodb: nowhere, aws: nowhere, sandbox: nowhere },
    { STAGE: 'test', TABLE_NAME: 'social-leads-test', SECRET_ID: 'social-leads/test' },
  ),
);

// Prevents that tests affect each other.
const { closeCircuits } = await import('#lib/platform/circuit-breaker.ts');
afterEach(() => {
  endTest();
  closeCircuits();
});
