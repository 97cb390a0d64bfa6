import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { deleteContentPost, listContentPosts, updateContentPost } from '#schemas/content.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { type ContentSetup, contentSetup } from './setup.ts';

let world: ContentSetup;
let twitter: SocialAccount;
/** The posts in creation order. */
const posts: Array<{ readonly id: string; readonly content: string }> = [];

beforeAll(async () => {
  world = await contentSetup();
  twitter = await storeSocialAccount(world.organizationId, { platform: 'TWITTER' });
  const onTwitter = { socialAccountId: twitter.id, platform: 'TWITTER' };
  const at = (day: string) => ({ scheduledAt: `2035-01-${day}T12:00:00.000Z` });
  for (const details of [
    { ...at('10'), tags: ['engines', 'spring'], content: 'Ten ENGINES ﬁne', keyword: 'Engine Ten' },
    { ...at('11'), tags: ['spring'], ...onTwitter, content: 'Eleven in der Straße' },
    { ...at('12'), tags: ['engines'], ...onTwitter, content: 'Twelve engines' },
    { ...at('13'), content: 'Thirteen' },
  ]) {
    posts.push(await world.newPost(details));
  }
});

async function list(query: Readonly<Record<string, string>> = {}) {
  const { status, body } = await world.ask(listContentPosts, { query });
  expect(status).toBe(200);
  const order = posts.map(({ id }) => id);

  return {
    ...body,
    found: body.contentPosts.map(({ id }: { readonly id: string }) => order.indexOf(id)),
  };
}

describe('listing posts by status', () => {
  it('moves a post to the list of its new status, with exact totals', async () => {
    const own = await contentSetup();
    const totals = async () => {
      const answers = await Promise.all(
        ['DRAFT', 'SCHEDULED', 'PUBLISHED'].map((status) =>
          own.ask(listContentPosts, { query: { status } }),
        ),
      );

      return answers.map(({ body }) => [body.pagination.total, body.contentPosts.length]);
    };
    const { id } = await own.newPost({ draft: true });
    expect(await totals()).toEqual([
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
    await own.ask(updateContentPost, {
      params: { post_id: id },
      body: { scheduledAt: '2035-01-01T00:00:00Z' },
    });
    expect(await totals()).toEqual([
      [0, 0],
      [1, 1],
      [0, 0],
    ]);
    const published = await own.newPost();
    expect(await totals()).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
    for (const post of [id, published.id]) {
      await own.ask(deleteContentPost, { params: { post_id: post } });
    }
    expect(await totals()).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it.each([{ status: 'GONE' }, { source: 'ELSEWHERE' }, { groupId: 'group' }])(
    'rejects the filter %j',
    async (query) => {
      const { status, body } = await world.ask(listContentPosts, { query });

      expect(status).toBe(400);
      expect(body.message[0]).toContain(Object.keys(query)[0]);
    },
  );
});

describe('listing posts', () => {
  it('returns posts newest first, whatever their scheduled times, with an exact total', async () => {
    const { found, pagination } = await list();

    expect(found).toEqual([3, 2, 1, 0]);
    expect(pagination).toMatchObject({ total: 4, hasMore: false, nextCursor: null });
  });

  it.each([
    ['account', () => ({ socialAccountId: twitter.id }), [2, 1]],
    ['platform', () => ({ platform: 'FACEBOOK' }), [3, 0]],
    ['one tag', () => ({ tags: 'spring' }), [1, 0]],
    ['one of several tags', () => ({ tags: 'spring, engines' }), [2, 1, 0]],
    ['exact keyword', () => ({ keyword: ' Engine Ten ' }), [0]],
    ['keyword in another case', () => ({ keyword: 'engine TEN' }), []],
    ['status', () => ({ status: 'SCHEDULED' }), [3, 2, 1, 0]],
    ['a status that no post has', () => ({ status: 'FAILED' }), []],
    ['source', () => ({ source: 'CREATED' }), [3, 2, 1, 0]],
    ['another source', () => ({ source: 'IMPORTED' }), []],
    ['an unknown group', () => ({ groupId: randomUUID() }), []],
    ['status and tag', () => ({ status: 'SCHEDULED', source: 'CREATED', tags: 'spring' }), [1, 0]],
    ['another status and tag', () => ({ status: 'DRAFT', tags: 'spring' }), []],
    ['an unknown keyword', () => ({ keyword: 'engine' }), []],
    ['text, ignoring case and Unicode form', () => ({ search: 'eNgines FI' }), [0]],
    ['uppercase text', () => ({ search: 'STRASSE' }), [1]],
    ['a day', () => ({ from: '2035-01-11', to: '2035-01-12' }), [2, 1]],
    ['a day by its older names', () => ({ dateFrom: '2035-01-11', dateTo: '2035-01-12' }), [2, 1]],
    [
      'a time range, bounds included',
      () => ({ dateFrom: '2035-01-11T12:00:00Z', dateTo: '2035-01-12T14:00:00+02:00' }),
      [2, 1],
    ],
    ['account and tag', () => ({ socialAccountId: twitter.id, tags: 'engines' }), [2]],
    [
      "account and another account's platform",
      () => ({ socialAccountId: twitter.id, platform: 'FACEBOOK' }),
      [],
    ],
    ['text and day', () => ({ search: 'engines', dateFrom: '2035-01-11' }), [2]],
    ['keyword and text', () => ({ keyword: 'Engine Ten', search: 'FINE' }), [0]],
    ['keyword and another text', () => ({ keyword: 'Engine Ten', search: 'Eleven' }), []],
    ['keyword and tag', () => ({ keyword: 'Engine Ten', tags: 'other' }), []],
    ['another organization’s account', () => ({ socialAccountId: randomUUID() }), []],
  ] as const)('filters by %s and returns the exact total', async (_, query, expected) => {
    const { found, pagination } = await list(query());

    expect(found).toEqual(expected);
    expect(pagination.total).toBe(expected.length);
  });

  it.each([{}, { platform: 'TWITTER' }, { tags: 'spring' }])(
    'returns the same order page by page: %o',
    async (filter) => {
      const whole = await list(filter);
      const paged: number[] = [];
      let cursor: string | null = null;
      do {
        const page = await list({ ...filter, limit: '1', ...(cursor ? { cursor } : {}) });
        paged.push(...page.found);
        expect(page.pagination.total).toBe(whole.pagination.total);
        cursor = page.pagination.nextCursor;
      } while (cursor);
      const second = await list({ ...filter, limit: '1', page: '2' });

      expect(paged).toEqual(whole.found);
      expect(second.found).toEqual(whole.found.slice(1, 2));
    },
  );

  it.each([
    [{ dateFrom: '2035-01-12', dateTo: '2035-01-11' }, 'dateFrom must not be after dateTo'],
    [{ from: '2035-01-12', to: '2035-01-11' }, 'from must not be after to'],
    [{ from: '2035-01-12', dateFrom: '2035-01-12' }, 'from cannot be combined with dateFrom'],
    [{ to: '2035-01-12', dateTo: '2035-01-12' }, 'to cannot be combined with dateTo'],
    [{ dateFrom: 'yesterday' }, 'dateFrom must be a valid ISO 8601 date string'],
    [{ dateTo: '2035-02-30' }, 'dateTo must be a valid ISO 8601 date string'],
    [{ tags: 'a'.repeat(51) }, expect.stringMatching(/^tags\.0 /)],
    [{ includeLiveData: 'maybe' }, expect.stringMatching(/^includeLiveData /)],
  ] as const)('rejects %o', async (query, message) => {
    const answer = await world.ask(listContentPosts, { query });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([message]);
  });

  it('excludes deleted posts from every filter and total', async () => {
    const keyword = randomUUID();
    const gone = await world.newPost({
      scheduledAt: '2035-03-01T12:00:00Z',
      keyword,
      tags: ['gone'],
    });
    await world.ask(deleteContentPost, { params: { post_id: gone.id } });
    const queries = [
      {},
      { platform: 'FACEBOOK' },
      { keyword },
      { tags: 'gone' },
      { dateFrom: '2035-03-01' },
    ];
    const totals = await Promise.all(
      queries.map(async (query) => (await list(query)).pagination.total),
    );

    expect(totals).toEqual([4, 2, 0, 0, 0]);
  });
});

describe('live metrics', () => {
  it('are fetched from the network only on request', async () => {
    const post = await world.newPost({ tags: ['live'] });
    await sandbox.network('FACEBOOK').setMetrics(post.platformPostId, { likes: 7, comments: 3 });
    const [live] = (await list({ tags: 'live', includeLiveData: 'true' })).contentPosts;
    const [plain] = (await list({ tags: 'live' })).contentPosts;

    expect(live.liveMetrics).toMatchObject({ likes: 7, comments: 3 });
    expect(plain).not.toHaveProperty('liveMetrics');
  });

  it('are null while the network is down, without failing the list', async () => {
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    const { contentPosts } = await list({ tags: 'live', includeLiveData: 'true' });

    expect(contentPosts).toHaveLength(1);
    expect(contentPosts[0].liveMetrics).toBeNull();
  });
});
