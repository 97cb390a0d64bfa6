import { describe, expect, it } from 'vitest';
import { listConnectLinks } from '#schemas/connect-links.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { newLink } from './setup.ts';

describe('the list of connect links', () => {
  it("shows the organization's links, newest first and without their URLs", async () => {
    const owner = await newAccount();
    await newLink(await newAccount());
    const first = await newLink(owner);
    const second = await newLink(owner, { platform: 'YOUTUBE' });
    const { status, body } = await call(listConnectLinks, { token: owner.token });
    expect([status, body.total]).toEqual([200, 2]);
    const shown = [second, first].map(({ linkToken: _, ...link }) => ({ ...link, url: null }));
    expect(body.connectLinks).toEqual(shown);
  });
});
