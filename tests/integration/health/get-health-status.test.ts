import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getHealthStatus, networkNames } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { beginHealthTest, down, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

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
