import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createContentPost, listContentPosts, preflightContentPost } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import {
  listSocialAccountPages,
  syncSocialAccount,
  validateSocialAccountToken,
} from '#schemas/social.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';
import { stopClock } from '#tests/support/time.ts';

const before = { ...process.env };

beforeEach(stopClock);
afterEach(() => {
  Object.assign(process.env, before);
});

async function connected(platform: Platform, known?: Account) {
  const owner = known ?? (await newAccount());
  const { params } = await connectAccount(owner.token, { platform });
  const on = { token: owner.token, params };
  const preflight = {
    token: owner.token,
    params: { organization_id: owner.organizationId },
    body: { socialAccountId: params.account_id, platform, content: 'New engines' },
  };

  return {
    owner,
    sync: () => call(syncSocialAccount, { ...on, body: {} }),
    pages: () => call(listSocialAccountPages, on),
    validate: () => call(validateSocialAccountToken, { ...on, body: {} }),
    preflight: () => call(preflightContentPost, preflight),
    publish: () => call(createContentPost, preflight),
    list: (query: Readonly<Record<string, string>>) =>
      call(listContentPosts, { token: preflight.token, params: preflight.params, query }),
  };
}

async function statusesOf(times: number, ask: () => Promise<Answer>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    statuses.push((await ask()).status);
  }

  return statuses;
}

describe('requests that call the network of an account', () => {
  it('are limited to 10 a minute, separately for each kind and account', async () => {
    const account = await connected('FACEBOOK');
    for (const ask of [account.sync, account.pages, account.validate, account.preflight]) {
      expect(await statusesOf(11, ask)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    }
    const other = await connected('FACEBOOK', account.owner);
    for (const ask of [other.sync, other.pages, other.validate, other.preflight]) {
      expect((await ask()).status).toBe(200);
    }
  });

  it('count a list with live data, but not one without', async () => {
    const account = await connected('FACEBOOK');
    await account.publish();
    await account.publish();
    const live = () => account.list({ includeLiveData: 'true' });
    expect(await statusesOf(11, live)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);

    expect((await account.list({})).status).toBe(200);
  });

  it('share a daily budget where all organizations share a quota', async () => {
    const account = await connected('YOUTUBE');
    process.env.NETWORK_CALLS_PER_ORGANIZATION_DAY = '3';
    const first = await account.sync();
    expect(first.headers['ratelimit-policy']).toContain('"networkCalls";q=3;w=86400');
    const second = await account.validate();

    expect([first.status, second.status]).toEqual([200, 429]);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(60);
  });

  it('have no daily budget on a network that limits each account', async () => {
    const account = await connected('FACEBOOK');
    process.env.NETWORK_CALLS_PER_ORGANIZATION_DAY = '0';

    expect((await account.sync()).status).toBe(200);
  });
});
