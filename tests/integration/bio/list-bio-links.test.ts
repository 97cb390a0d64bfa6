import { describe, expect, test } from 'vitest';
import { deleteOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { bioLinkSetup, followBioLink, type Link, listBioLinks, newLink } from './setup.ts';

const world = await bioLinkSetup();

describe('listing links', () => {
  test('returns links newest first with exact totals, filtered by isActive, by page and by cursor', async () => {
    const owner = await newAccount();
    const links: Link[] = [];
    for (let number = 0; number < 12; number += 1) {
      links.unshift(await newLink(owner, { isActive: number % 3 !== 0 }));
    }
    await world.updateBioLink(links[0], { isActive: false }, owner);
    await world.updateBioLink(links[0], { isActive: false }, owner);
    await world.deleteBioLink(links[5], owner);
    const all = links.filter((_, index) => index !== 5).map(({ id }) => id);
    const active = links
      .filter(({ isActive }, index) => isActive && index !== 0 && index !== 5)
      .map(({ id }) => id);
    const inactive = all.filter((id) => !active.includes(id));
    const ids = ({ bioLinks }: { readonly bioLinks: readonly Link[] }) =>
      bioLinks.map(({ id }) => id);

    for (const [query, expected] of [
      [{}, all],
      [{ isActive: 'true' }, active],
      [{ isActive: 'false' }, inactive],
    ] as const) {
      const whole = await listBioLinks(owner, { ...query, limit: '100' });
      expect([ids(whole), whole.pagination.total]).toEqual([expected, expected.length]);
      const first = await listBioLinks(owner, { ...query, limit: '3' });
      const second = await listBioLinks(owner, { ...query, limit: '3', page: '2' });
      const next = await listBioLinks(owner, {
        ...query,
        limit: '3',
        cursor: first.pagination.nextCursor ?? '',
      });
      expect([ids(first), ids(second), ids(next)]).toEqual([
        expected.slice(0, 3),
        expected.slice(3, 6),
        expected.slice(3, 6),
      ]);
    }
  });

  test('is empty after its organization is removed, including short URLs and clicks', async () => {
    const owner = await newAccount();
    const link = await newLink(owner);
    await followBioLink(link, { headers: { referer: 'https://example.com/' } });
    const params = { organization_id: owner.organizationId };
    await call(deleteOrganization, { params, token: owner.token });
    await drainWork();

    expect((await followBioLink(link)).status).toBe(404);
    const left = (await storedItems()).filter(({ pk }) => /^(SHORT#|ORG#.*#BIO_)/.test(pk));
    const owned = left.filter((item) => JSON.stringify(item).includes(owner.organizationId));
    expect(owned).toEqual([]);
  });
});
