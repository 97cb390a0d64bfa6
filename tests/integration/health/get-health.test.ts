import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { now, setClock } from '#lib/platform/clock.ts';
import { getHealth, getHealthStatus } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import project from '../../../package.json' with { type: 'json' };
import { beginHealthTest, down, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

describe('GET /health', () => {
  it('returns healthy when every dependency is up', async () => {
    const { status, body } = await call(getHealth);

    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'healthy',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      uptime: expect.any(Number),
      version: project.version,
      environment: 'test',
    });
  });

  it.each(['stripe', 'openai', 'twitter', 'secretsmanager'])(
    'returns degraded when %s is down',
    async (service) => {
      await down(service);

      expect((await call(getHealth)).body.status).toBe('degraded');
    },
  );

  it('returns maintenance while an operator has set it', async () => {
    vi.stubEnv('MAINTENANCE_MODE', '1');

    const [health, parts] = await Promise.all([
      call(getHealth),
      call(getHealthStatus, { token: caller.token }),
    ]);

    expect([health.status, health.body.status]).toEqual([200, 'maintenance']);
    expect(parts.body.status).toBe('maintenance');
  });

  it('returns results up to ten seconds old without probing again', async () => {
    const beganAt = now();
    await call(getHealth);
    await down('stripe');
    setClock(() => beganAt + 9_000);
    const kept = await call(getHealth);
    setClock(() => beganAt + 10_500);
    const fresh = await call(getHealth);

    expect([kept.body.status, fresh.body.status]).toEqual(['healthy', 'degraded']);
  });

  it("takes no longer than one probe's timeout when several hang", async () => {
    for (const service of ['stripe', 'facebook', 'youtube', 'openai']) {
      await sandbox.addFault({ service, mode: 'hang' });
    }
    const { result, waitedMs } = await measureWaits(() => call(getHealth));

    expect(result.body.status).toBe('degraded');
    expect(waitedMs).toBeLessThan(3_000);
  });

  it('returns 429 to an address that exceeds its limit', async () => {
    vi.stubEnv('HEALTH_LIMIT_PER_IP', '2');
    const ip = freshIp();
    const answers = [];
    for (let times = 0; times < 3; times += 1) {
      answers.push(await call(getHealth, { ip }));
    }

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body).toMatchObject({ success: false, statusCode: 429 });
    expect(answers[2]?.headers['retry-after']).toMatch(/^\d+$/);
  });
});
