import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testConnectivity } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { beginHealthTest, down, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

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
    const { result, waitedMs } = await measureWaits(() =>
      test({ services: ['payment'], timeout: 150 }),
    );

    expect(result.body.results[0]).toMatchObject({
      status: 'failure',
      error: 'No response within 150 ms',
    });
    expect(waitedMs).toBeLessThan(1_500);
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
