import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as runHealthWatch } from '#functions/jobs/health-watch.ts';
import {
  listIncidents,
  openIncident,
  updateIncident,
} from '#lib/features/health/incidents/incidents.ts';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { watchServices } from '#lib/features/health/services/watch-services.ts';
import { now, setClock } from '#lib/platform/clock.ts';
import {
  dependencies,
  getDetailedHealth,
  getDiagnostics,
  getHealth,
  getHealthStatus,
  getServiceHealth,
  networkNames,
  testConnectivity,
} from '#schemas/health.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import project from '../../../package.json' with { type: 'json' };

let caller: Account;

beforeEach(async () => {
  caller ??= await newAccount();
  process.env.HEALTH_LIMIT_PER_USER = '1000';
  forgetChecks();
});
afterEach(async () => {
  setClock();
  vi.unstubAllEnvs();
  await sandbox.clearFaults();
  forgetChecks();
  // Closes circuits opened by faults, so that tests do not affect each other.
  await call(getHealth);
});

const down = (service: string) => sandbox.addFault({ service, mode: 'down' });

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
    const beganAt = performance.now();
    const { body } = await call(getHealth);

    expect(body.status).toBe('degraded');
    expect(performance.now() - beganAt).toBeLessThan(3_000);
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

describe('the other health endpoints', () => {
  it('return 429 to a user after 60 requests a minute', async () => {
    vi.stubEnv('HEALTH_LIMIT_PER_USER', '');
    const { token } = await newAccount();
    const { headers } = await call(getDiagnostics, { token });

    expect(headers['ratelimit-policy']).toContain('"health";q=60;w=60');
  });

  it('return 401 without a session', async () => {
    expect((await call(getDetailedHealth)).status).toBe(401);
  });
});

describe('GET /health/detailed', () => {
  it("returns every dependency and this instance's resource usage", async () => {
    await down('stripe');
    const { body } = await call(getDetailedHealth, { token: caller.token });

    expect(Object.keys(body.services).sort()).toEqual([...dependencies].sort());
    expect(body.services.payment.status).toBe('outage');
    expect(body.services.database.status).toBe('operational');
    expect(body.metrics.memory.percentage).toBeGreaterThan(0);
    expect(body.metrics.cpu.load).toHaveLength(3);
  });
});

describe('GET /health/status', () => {
  it('returns each network and the requests of all instances', async () => {
    await down('tiktok');
    const { body } = await call(getHealthStatus, { token: caller.token });

    expect(body.status).toBe('degraded');
    expect(Object.keys(body.services.external)).toEqual(expect.arrayContaining([...networkNames]));
    expect(body.services.external.tiktok.status).toBe('outage');
    expect(body.services.external.social.status).toBe('degraded');
    expect(body.services.external.facebook.status).toBe('operational');
    expect(body.services.database.connections).toBeNull();
  });
});

describe('an incident', () => {
  const incidentsOf = async (service: string) =>
    (await listIncidents()).filter((incident) => incident.service === service);

  it('is opened once by a failing probe and closed by a successful one', async () => {
    await down('linkedin');
    await call(getHealth);
    forgetChecks();
    await Promise.all([call(getHealth), call(getHealth)]);
    const [open, ...others] = await incidentsOf('linkedin');
    const { body } = await call(getHealthStatus, { token: caller.token });

    expect(open).toMatchObject({ status: 'investigating', isAutomatic: true });
    expect(others).toEqual([]);
    expect(body.incidents).toContainEqual(
      expect.objectContaining({ id: open?.id, service: 'linkedin', resolvedAt: null }),
    );

    await sandbox.clearFaults();
    forgetChecks();
    await call(getHealth);

    expect(await incidentsOf('linkedin')).toEqual([
      expect.objectContaining({ id: open?.id, status: 'resolved', resolvedAt: expect.any(String) }),
    ]);
  });

  it('is opened and closed by the minutely job without any requests', async () => {
    await down('youtube');
    const other = watchServices();
    forgetChecks();
    const found = await Promise.all([runHealthWatch(), other]);
    const open = (await incidentsOf('youtube')).filter(({ status }) => status !== 'resolved');

    expect(found).toEqual([{ down: ['youtube'] }, ['youtube']]);
    expect(open).toMatchObject([{ isAutomatic: true }]);

    await sandbox.clearFaults();
    forgetChecks();

    expect(await runHealthWatch()).toEqual({ down: [] });
    expect(await incidentsOf('youtube')).toContainEqual(
      expect.objectContaining({ id: open[0]?.id, status: 'resolved' }),
    );
  });

  it('of a dependency is opened once by concurrent probes', async () => {
    const about = {
      service: 'storage',
      title: 'Files',
      impact: 'minor',
      message: 'Down',
      isAutomatic: true,
    } as const;
    const opened = await Promise.allSettled([1, 2, 3, 4].map(() => openIncident(about)));

    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await incidentsOf('storage')).toHaveLength(1);
  });

  it('is shown while open, however many others have come and gone since', async () => {
    const about = { title: 'Slow', impact: 'minor', message: 'Slow', isAutomatic: false } as const;
    const { id } = await openIncident({ ...about, service: 'secrets' });
    for (let times = 0; times < 50; times += 1) {
      const flapping = await openIncident({ ...about, service: 'queue' });
      await updateIncident(flapping.id, 'resolved', 'Gone');
    }

    const { body } = await call(getHealthStatus, { token: caller.token });
    expect(body.incidents).toHaveLength(51);
    expect(body.incidents.at(-1)).toMatchObject({ id, resolvedAt: null });
  });

  it('opened by an operator is not closed by a probe', async () => {
    const { id } = await openIncident({
      service: 'email',
      title: 'Mails come late',
      impact: 'minor',
      message: 'We look into it',
      isAutomatic: false,
    });
    await call(getHealth);

    expect((await incidentsOf('email')).map((one) => [one.id, one.status])).toEqual([
      [id, 'investigating'],
    ]);
  });
});

describe('GET /health/services/{service_name}', () => {
  const ask = (service_name: string) =>
    call(getServiceHealth, { token: caller.token, params: { service_name } });

  it.each([...dependencies, ...networkNames, 'stripe', 'redis'])('returns %s', async (name) => {
    const { status, body } = await ask(name);

    expect([status, body.service, body.status]).toEqual([200, name, 'operational']);
  });

  it('reports a dependency that is down, with the reason', async () => {
    await sandbox.addFault({ service: 'stripe', mode: 'error', status: 500 });
    const { status, body } = await ask('stripe');

    expect([status, body.status, body.details.error]).toEqual([
      200,
      'outage',
      'Responded with 500',
    ]);
  });

  it.each(['nothing', 'Database', '__proto__', 'toString'])('returns 404 for %s', async (name) => {
    expect((await ask(name)).status).toBe(404);
  });
});

describe('POST /health/connectivity-test', () => {
  const test = (body: object) => call(testConnectivity, { token: caller.token, body });

  it('probes the named services and summarizes them; an unknown name fails', async () => {
    await down('facebook');
    const services = ['database', 'redis', 'facebook', 'nothing', 'social'];
    const { body } = await test({ services });

    expect(
      body.results.map(({ service, status }: { service: string; status: string }) => [
        service,
        status,
      ]),
    ).toEqual([
      ['database', 'success'],
      ['redis', 'success'],
      ['facebook', 'failure'],
      ['nothing', 'failure'],
      ['social', 'failure'],
    ]);
    expect(body.results[3].error).toBe('Unknown service');
    expect(body.results[0].error).toBeNull();
    expect(body.summary).toMatchObject({ total: 5, successful: 2, failed: 3 });
    const times = body.results.map(({ responseTime }: { responseTime: number }) => responseTime);
    const sum = times.reduce((total: number, time: number) => total + time, 0);
    expect(body.summary.averageResponseTime).toBeCloseTo(sum / 4);
    expect((await test({ services: ['nothing'] })).body.summary.averageResponseTime).toBe(0);
  });

  it('respects the requested timeout', async () => {
    await sandbox.addFault({ service: 'stripe', mode: 'hang' });
    const beganAt = performance.now();
    const { body } = await test({ services: ['payment'], timeout: 150 });

    expect(body.results[0]).toMatchObject({
      status: 'failure',
      error: 'No response within 150 ms',
    });
    expect(performance.now() - beganAt).toBeLessThan(1_500);
  });

  it.each([
    [{}],
    [{ services: [] }],
    [{ services: 'database' }],
    [{ services: ['database'], timeout: 0 }],
    [{ services: ['database'], timeout: 10_001 }],
    [{ services: ['database'], timeout: '5' }],
  ])('rejects %j', async (body) => {
    expect((await test(body)).status).toBe(400);
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
