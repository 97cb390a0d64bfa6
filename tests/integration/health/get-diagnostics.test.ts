import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getDiagnostics } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { beginHealthTest, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

describe('the other health endpoints', () => {
  it('return 429 to a user after 60 requests a minute', async () => {
    vi.stubEnv('HEALTH_LIMIT_PER_USER', '');
    const { token } = await newAccount();
    const { headers } = await call(getDiagnostics, { token });

    expect(headers['ratelimit-policy']).toContain('"health";q=60;w=60');
  });
});

describe('GET /health/diagnostics', () => {
  it('returns the runtime, and that there is no cache server', async () => {
    const { body } = await call(getDiagnostics, { token: caller.token });

    expect(body.diagnostics.runtime.node).toBe(process.version);
    expect(body.diagnostics.dependencies.redis).toContain('None');
    expect(body.diagnostics.dependencies.stripe).toContain('operational');
  });
});
