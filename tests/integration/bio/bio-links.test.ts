import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBioLink, deleteBioLink, updateBioLink } from '#schemas/bio.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { clicksOf, type Link, listLinks, newLink, open } from './world.ts';

let ada: Account;

beforeAll(async () => {
  ada = await newAccount();
});

function inPath({ id }: Pick<Link, 'id'>, { organizationId } = ada) {
  return { organization_id: organizationId, link_id: id };
}

function update(link: Pick<Link, 'id'>, body: object, owner = ada) {
  return call(updateBioLink, { params: inPath(link, owner), token: owner.token, body });
}

function remove(link: Pick<Link, 'id'>, owner = ada) {
  return call(deleteBioLink, { params: inPath(link, owner), token: owner.token });
}

describe('creating a link', () => {
  test('returns an active link with no clicks and a short URL that redirects to it', async () => {
    const link = await newLink(ada);

    expect(link).toMatchObject({
      organizationId: ada.organizationId,
      title: 'Our new engines',
      url: 'https://example.com/engines',
      description: null,
      imageUrl: null,
      buttonText: null,
      utmSource: null,
      isActive: true,
      clickCount: 0,
    });
    expect(link.shortUrl).toMatch(/^http:\/\/localhost:3000\/b\/[2-9A-HJ-NP-Za-km-z]{7}$/);
    expect((await open(link)).headers.location).toBe(link.url);
  });

  test('stores all given values', async () => {
    const fields = {
      title: 'Newsletter',
      description: 'Once a month',
      imageUrl: 'http://example.com/letter.png',
      buttonText: 'Subscribe',
      utmSource: 'bio',
      utmMedium: 'social',
      utmCampaign: 'spring',
      isActive: false,
    };
    expect(await newLink(ada, fields)).toMatchObject(fields);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    'ftp://example.com/',
    'mailto:ada@example.com',
    '//example.com/',
    'example.com',
    'https://ada:secret@example.com/',
    'https://ada@example.com/',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('rejects %s as the URL or image URL', async (url) => {
    for (const field of ['url', 'imageUrl']) {
      const { status, body } = await call(createBioLink, {
        params: { organization_id: ada.organizationId },
        token: ada.token,
        body: { title: 'x', url: 'https://example.com/', [field]: url },
      });
      expect([status, String(body.message[0])]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${field} `)),
      ]);
    }
  });
});

describe('updating a link', () => {
  test('rejects any short link as the target', async () => {
    const link = await newLink(ada);
    const message = ['url must not be a short link of this service'];
    const spelled = [
      link.shortUrl.toUpperCase().replace('/B/', '/b/'),
      link.shortUrl.replace('/b/', '/%62/'),
    ];
    for (const url of [link.shortUrl, `${link.shortUrl}?x=1`, ...spelled]) {
      expect(await update(link, { url })).toMatchObject({ status: 400, body: { message } });
      const body = { title: 'Round in a circle', url };
      const params = { organization_id: ada.organizationId };
      const made = await call(createBioLink, { params, token: ada.token, body });
      expect(made).toMatchObject({ status: 400, body: { message } });
    }

    expect((await open(link)).headers.location).toBe('https://example.com/engines');
  });

  test('changes only the given fields, and null clears a field', async () => {
    const link = await newLink(ada, { description: 'Old', buttonText: 'Go', utmSource: 'bio' });
    const { body } = await update(link, { title: 'New', description: null, utmMedium: 'm' });

    expect(body.bioLink).toMatchObject({
      ...link,
      title: 'New',
      description: null,
      utmMedium: 'm',
      updatedAt: expect.any(String),
    });
    expect((await listLinks(ada)).bioLinks[0]).toEqual(body.bioLink);
  });

  test('takes effect on the short link immediately', async () => {
    const link = await newLink(ada);
    await update(link, { url: 'https://example.com/other', utmSource: 'bio' });
    expect((await open(link)).headers.location).toBe('https://example.com/other?utm_source=bio');

    await update(link, { isActive: false });
    expect((await open(link)).status).toBe(404);
    await update(link, { isActive: true });
    expect((await open(link)).status).toBe(302);
  });

  test('changes nothing for an empty body', async () => {
    const link = await newLink(ada);
    expect((await update(link, {})).body.bioLink).toEqual(link);
  });

  test('keeps all concurrent changes', async () => {
    const link = await newLink(ada);
    const changes = [
      { title: 'a' },
      { description: 'b' },
      { buttonText: 'c' },
      { utmSource: 'd' },
      { utmMedium: 'e' },
      { utmCampaign: 'f' },
    ];
    const answers = await Promise.all(changes.map((change) => update(link, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));

    const [after] = (await listLinks(ada)).bioLinks;
    expect(after).toMatchObject(Object.assign({}, ...changes));
  });

  test('returns 404 for an unknown link and for another organization', async () => {
    const foreign = await newLink(await newAccount());
    for (const id of [randomUUID(), foreign.id]) {
      for (const answer of [await update({ id }, { title: 'x' }), await remove({ id })]) {
        expect([answer.status, answer.body.message]).toEqual([
          404,
          "Bio link not found or you don't have access",
        ]);
      }
    }
    expect((await open(foreign)).status).toBe(302);
  });
});

describe('deleting a link', () => {
  test('removes it from the list, its short URL and the table', async () => {
    const link = await newLink(ada);
    await open(link);
    expect((await remove(link)).body.message).toBe('Bio link deleted successfully');

    expect((await open(link)).status).toBe(404);
    expect((await remove(link)).status).toBe(404);
    expect(await clicksOf(ada, link)).toBeUndefined();
    const left = await storedItems(`ORG#${ada.organizationId}#BIO_CLICKS`);
    expect(left.filter(({ sk }) => sk.startsWith(link.id))).toEqual([]);
  });
});

describe('listing links', () => {
  test('returns links newest first with exact totals, filtered by isActive, by page and by cursor', async () => {
    const owner = await newAccount();
    const links: Link[] = [];
    for (let number = 0; number < 12; number += 1) {
      links.unshift(await newLink(owner, { isActive: number % 3 !== 0 }));
    }
    await update(links[0], { isActive: false }, owner);
    await update(links[0], { isActive: false }, owner);
    await remove(links[5], owner);
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
      const whole = await listLinks(owner, { ...query, limit: '100' });
      expect([ids(whole), whole.pagination.total]).toEqual([expected, expected.length]);
      const first = await listLinks(owner, { ...query, limit: '3' });
      const second = await listLinks(owner, { ...query, limit: '3', page: '2' });
      const next = await listLinks(owner, {
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
    await open(link, { headers: { referer: 'https://example.com/' } });
    const params = { organization_id: owner.organizationId };
    await call(deleteOrganization, { params, token: owner.token });
    await drainWork();

    expect((await open(link)).status).toBe(404);
    const left = (await storedItems()).filter(({ pk }) => /^(SHORT#|ORG#.*#BIO_)/.test(pk));
    const owned = left.filter((item) => JSON.stringify(item).includes(owner.organizationId));
    expect(owned).toEqual([]);
  });
});
