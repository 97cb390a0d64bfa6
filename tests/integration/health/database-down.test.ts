// Runs in a separate process: the service is loaded with the address of an unresponsive database
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getDetailedHealth, getHealth, getStatusPage } from '#schemas/health.ts';
import { call } from '#tests/support/api.ts';
import { measureWaits } from '#tests/support/waiting.ts';

/** Accepts every connection and never responds. */
let silent: Server;

beforeAll(async () => {
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  // Set before the service is loaded, because clients are created at load time.
  process.env.DYNAMODB_ENDPOINT = `http://127.0.0.1:${port}`;
  process.env.TABLE_TIMEOUT_MS = '4000';
});
afterAll(() => silent.close());
beforeEach(async () => {
  const { forgetChecks } = await import('#lib/features/health/services/check-services.ts');
  forgetChecks();
});

describe('while the database does not respond', () => {
  it('GET /health reports it within three seconds in its own format', async () => {
    const { result: answer, waitedMs } = await measureWaits(() => call(getHealth));

    expect(waitedMs).toBeLessThan(3_000);
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      status: 'unhealthy',
      timestamp: expect.any(String),
      message: 'The service is unavailable',
      services: { database: { status: 'outage', error: 'No response within 2000 ms' } },
    });
    expect(answer.headers['retry-after']).toBe('10');
  });

  it('the status page reports it', async () => {
    const { result: answer, waitedMs } = await measureWaits(() => call(getStatusPage));

    expect(waitedMs).toBeLessThan(3_000);
    expect(answer.status).toBe(503);
    expect(answer.body).toContain('Major outage');
  });

  it('an endpoint that needs a session returns 503 in the standard format', async () => {
    const { planSession } = await import('#lib/features/auth/sessions.ts');
    const { token } = await planSession(crypto.randomUUID(), crypto.randomUUID(), {
      clientIp: '::1',
      userAgent: 'vitest',
    });
    const { status, body } = await call(getDetailedHealth, { token });

    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'unhealthy',
      services: { database: { status: 'outage', error: 'Unreachable' } },
    });
  });
});
