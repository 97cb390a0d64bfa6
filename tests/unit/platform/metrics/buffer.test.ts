import { beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { recordQuery, recordRequest, takeBuffer } from '#lib/platform/metrics/buffer.ts';
import { growthOf } from '#tests/support/cpu-growth.ts';

const minute = Date.parse('2026-01-15T09:30:00.000Z');
const answered = {
  route: 'GET /leads/{organization_id}',
  statusCode: 200,
  durationMs: 8,
  bytes: 10,
};

beforeEach(() => {
  takeBuffer();
  setClock(() => minute + 59_999);
});

describe('metrics buffer', () => {
  it('ignores a DynamoDB call that spans a freeze of the process', () => {
    recordQuery(15_000);
    recordQuery(480_000);

    expect(takeBuffer().minutes.get(minute)).toMatchObject({ queries: 1, queryMs: 15_000 });
  });

  it('aggregates by minute, route, and organization', () => {
    recordRequest({ ...answered, organizationId: 'one' });
    recordRequest({ ...answered, statusCode: 502, organizationId: 'one' });
    recordQuery(5);
    recordQuery(101);
    setClock(() => minute + 60_000);
    recordRequest({ ...answered, statusCode: 404 });
    const { minutes, routes, organizations } = takeBuffer();

    expect([...minutes.keys()]).toEqual([minute, minute + 60_000]);
    expect(minutes.get(minute)).toMatchObject({
      requests: 2,
      errors: 1,
      bytes: 20,
      durationMs: 16,
      queries: 2,
      queryMs: 106,
      slowQueries: 1,
    });
    expect(routes.get(answered.route)?.statuses).toEqual(
      new Map([
        [200, 1],
        [502, 1],
        [404, 1],
      ]),
    );
    expect(routes.get(answered.route)?.le).toEqual(new Map([[10, 3]]));
    expect([...organizations.values()].map(({ calls }) => calls)).toEqual([2]);
  });

  it('returns each measurement once', () => {
    recordRequest(answered);

    expect(takeBuffer().minutes.size).toBe(1);
    expect(takeBuffer().minutes.size).toBe(0);
  });

  it('records a request in time that does not grow with the number of requests', async () => {
    const record = (requests: number) => {
      for (let number = 0; number < requests; number += 1) {
        recordRequest({ ...answered, organizationId: 'one' });
      }
    };

    expect(await growthOf((size) => size, record, 20_000)).toBeLessThan(4);
  });
});
