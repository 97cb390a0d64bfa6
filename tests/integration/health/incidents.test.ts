import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handler as runHealthWatch } from '#functions/jobs/health-watch.ts';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import {
  listIncidents,
  openIncident,
  updateIncident,
} from '#lib/features/health/services/incidents.ts';
import { watchServices } from '#lib/features/health/services/watch-services.ts';
import { getHealth, getHealthStatus } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { metricLinesSince, placeInLog } from '#tests/support/log-book.ts';
import { sandbox } from '#tests/support/mails.ts';
import { beginHealthTest, down, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

describe('an incident', () => {
  const incidentsOf = async (service: string) =>
    (await listIncidents()).filter((incident) => incident.service === service);

  it('is opened once by a failing probe and closed by a successful one', async () => {
    const place = placeInLog();
    await down('linkedin');
    await call(getHealth);
    forgetChecks();
    await Promise.all([call(getHealth), call(getHealth)]);
    const [open, ...others] = await incidentsOf('linkedin');
    const { body } = await call(getHealthStatus, { token: caller.token });

    expect(open).toMatchObject({ status: 'investigating', isAutomatic: true });
    expect(others).toEqual([]);
    expect(metricLinesSince(place, 'IncidentOpened')).toMatchObject([
      { level: 'ERROR', dependency: 'linkedin' },
    ]);
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

  it('is shown while open, however many others have been opened and closed since', async () => {
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
