import { afterEach } from 'vitest';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { beginFile } from './begin-file.ts';

// Nothing listens there, so that a unit test that calls out fails instead of reaching something.
const nowhere = 'http://127.0.0.1:9';

beginFile(
  localEnvironment(
    { api: 'http://localhost:3000', dynamodb: nowhere, aws: nowhere, sandbox: nowhere },
    { STAGE: 'test', TABLE_NAME: 'social-leads-test', SECRET_ID: 'social-leads/test' },
  ),
);

// What one test has done to a vendor is not for the next to feel.
const { closeCircuits } = await import('#lib/platform/circuit-breaker.ts');
afterEach(closeCircuits);
