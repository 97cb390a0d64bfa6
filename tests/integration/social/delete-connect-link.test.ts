import { beforeAll, describe, expect, it } from 'vitest';
import { deleteConnectLink, listConnectLinks } from '#schemas/connect-links.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { choose, goThrough, newLink, newPerson, openConnectLink, prepareConsent } from './setup.ts';

beforeAll(prepareConsent);

describe('a deleted connect link', () => {
  it('shows a page that says so, even to somebody who is about to choose accounts', async () => {
    const owner = await newAccount();
    const { id, linkToken } = await newLink(owner);
    const person = await newPerson('FACEBOOK');
    const session = await goThrough(linkToken, 'FACEBOOK', 'allow', person);
    const params = { link_id: id };
    expect((await call(deleteConnectLink, { token: owner.token, params })).status).toBe(200);
    expect((await call(deleteConnectLink, { token: owner.token, params })).status).toBe(404);
    expect((await call(listConnectLinks, { token: owner.token })).body.total).toBe(0);

    const pages = [
      await openConnectLink(linkToken),
      await openConnectLink(linkToken, { start: '1' }),
      await openConnectLink(linkToken, { session }),
      await choose(linkToken, session, [String(person.accounts[0]?.id)]),
    ];
    for (const { status, body } of pages) {
      expect(status).toBe(410);
      expect(body).not.toMatch(/<(form|button|a) /);
    }
  });

  it('disappears with its organization', async () => {
    const owner = await newAccount();
    const { linkToken } = await newLink(owner);
    const { id } = await newLink(owner);
    await call(deleteConnectLink, { token: owner.token, params: { link_id: id } });
    const params = { organization_id: owner.organizationId };
    await call(deleteOrganization, { token: owner.token, params });
    expect((await openConnectLink(linkToken)).status).toBe(404);
    await drainWork();
    const left = (await storedItems()).filter(({ pk }) => pk.startsWith('CONNECT_LINK_TOKEN#'));
    expect(left.map(({ organizationId }) => organizationId)).not.toContain(owner.organizationId);
  });
});
