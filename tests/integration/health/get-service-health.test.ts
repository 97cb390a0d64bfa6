import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { runProbe } from '#lib/features/health/services/run-probe.ts';
import { setClock } from '#lib/platform/clock.ts';
import { dependencies, getServiceHealth, networkNames } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { beginHealthTest, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

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

  it.each([
    [1_000, 'operational'],
    [1_001, 'degraded'],
  ])('reports a dependency that takes %i ms as %s', async (tookMs, status) => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
    vi.spyOn(performance, 'now').mockReturnValue(tookMs).mockReturnValueOnce(0);
    const result = await runProbe('twitter', 5_000).finally(() => vi.restoreAllMocks());

    expect(result).toMatchObject({ status, responseTime: tookMs });
  });

  it('probes the AI service with its key and the configured model', async () => {
    await ask('ai');
    const [probe] = (await sandbox.requests({ service: 'openai' })).slice(-1);

    expect([probe?.path, probe?.headers.authorization]).toEqual([
      '/v1/models/gpt-6-luna',
      'Bearer sk-sandbox',
    ]);
  });

  it.each([
    [401, 'invalid_api_key', 'The API key was rejected'],
    [403, 'insufficient_permissions', 'The API key was rejected'],
    [429, 'insufficient_quota', 'The account has no quota left'],
  ])('reports the AI service as down after %i %s', async (status, code, reason) => {
    await sandbox.addFault({ service: 'openai', mode: 'error', status, body: { error: { code } } });
    const { body } = await ask('ai');

    expect([body.status, body.details.error]).toEqual(['outage', reason]);
  });

  it('reports the AI service as down if its model does not exist', async () => {
    vi.stubEnv('OPENAI_MODEL', 'unknown-model');
    const { body } = await ask('ai');

    expect([body.status, body.details.error]).toEqual([
      'outage',
      'The model is not available to the account',
    ]);
  });

  it.each([
    [404, { error: { code: 'unknown_url' } }],
    [404, 'Not Found'],
    [429, { error: { code: 'rate_limit_exceeded' } }],
  ])('reports the AI service as operational after the response %i %j', async (status, body) => {
    await sandbox.addFault({ service: 'openai', mode: 'error', status, body });

    expect((await ask('ai')).body.status).toBe('operational');
  });

  describe('about the AI service', () => {
    const shutdown = '2027-01-14';
    const at = (day: string) => setClock(() => Date.parse(`${day}T12:00:00.000Z`));

    it('has no end date for the default model', async () => {
      const { body } = await ask('ai');

      expect([body.status, body.details.modelEndsAt]).toEqual(['operational', null]);
    });

    it('is degraded from 60 days before the model shuts down', async () => {
      vi.stubEnv('OPENAI_MODEL', 'gpt-4.1-mini');
      at('2026-11-14');
      const before = await ask('ai');
      forgetChecks();
      at('2026-11-16');
      const { body } = await ask('ai');

      expect([before.body.status, before.body.details.modelEndsAt]).toEqual([
        'operational',
        shutdown,
      ]);
      expect([body.status, body.details.error]).toEqual([
        'degraded',
        `The model gpt-4.1-mini shuts down on ${shutdown}`,
      ]);
    });

    it('has the end date that the AI service reports', async () => {
      await sandbox.addFault({
        service: 'openai',
        mode: 'error',
        status: 200,
        body: { id: 'gpt-6-luna', shutdown_date: '2036-02-29' },
      });

      expect((await ask('ai')).body.details.modelEndsAt).toBe('2036-02-29');
    });
  });

  it.each(['nothing', 'Database', '__proto__', 'toString'])('returns 404 for %s', async (name) => {
    expect((await ask(name)).status).toBe(404);
  });
});
