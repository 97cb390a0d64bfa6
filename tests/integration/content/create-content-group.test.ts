import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { newId } from '#lib/platform/ids.ts';
import { listContentPosts } from '#schemas/content.ts';
import { createContentGroup } from '#schemas/content-groups.ts';
import { platforms } from '#schemas/platforms.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { connectedAccount, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { withoutFaults } from '#tests/support/own-table.ts';
import { storedItems } from '#tests/support/table.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { drainWork } from '#tests/support/work.ts';
import {
  allowLocalMedia,
  compositionOnAll,
  contentSetup,
  daily,
  inAnHour,
  newGroup,
  readGroup,
  rejection,
  shownOn,
  slotsSetup,
  statesOf,
  textTargets,
} from './setup.ts';

const world = await contentSetup();

beforeEach(() => allowLocalMedia());

const text = () => `Engines ${randomUUID()}`;

describe('a composition without a time', () => {
  it('is published on all networks, and before the response on those without processing', async () => {
    const { accounts, body } = await compositionOnAll(world);

    const group = await newGroup(world, { ...body, tags: ['spring'] });

    expect(group.posts.map(({ platform }: { platform: string }) => platform)).toEqual(platforms);
    // TikTok only starts to process the video.
    expect(statesOf(group)).toEqual(
      platforms.map((platform) => (platform === 'TIKTOK' ? 'SCHEDULED' : 'PUBLISHED')),
    );
    setClock(() => Date.now() + minuteMs);
    await contentPublish();
    await drainWork('content-publishing');
    const published = await readGroup(world, group);
    expect(statesOf(published)).toEqual(platforms.map(() => 'PUBLISHED'));
    expect(await shownOn(accounts, body.content)).toEqual(platforms.map(() => 1));
    for (const post of published.posts) {
      expect(post).toMatchObject({ groupId: group.id, source: 'CREATED', tags: ['spring'] });
      expect(post.platformPostId).toBeTruthy();
    }
  });

  it('is published in time on other targets if one is rejected, one is down and one is unknown', async () => {
    vi.stubEnv('NETWORK_TIMEOUT_MS', '2000');
    const { accounts, targets } = await textTargets(world, [
      'FACEBOOK',
      'FACEBOOK',
      'FACEBOOK',
      'FACEBOOK',
      'TWITTER',
    ]);
    const [refused, down, unknown] = accounts.map(
      ({ platformUserId }) => `/${platformUserId}/feed`,
    );
    const fault = { service: 'facebook', method: 'POST' } as const;
    await sandbox.addFault({ ...fault, path: refused, ...rejection });
    await sandbox.addFault({ ...fault, path: down, mode: 'error', status: 503 });
    await sandbox.addFault({ ...fault, path: unknown, mode: 'hang' });
    const content = text();

    const group = await newGroup(world, { content, targets });

    expect(statesOf(group)).toEqual(['FAILED', 'SCHEDULED', 'FAILED', 'PUBLISHED', 'PUBLISHED']);
    expect(group.posts.map(({ failureCode }: { failureCode: string }) => failureCode)).toEqual([
      'REFUSED',
      null,
      'OUTCOME_UNKNOWN',
      null,
      null,
    ]);
    expect(await shownOn(accounts.slice(3), content)).toEqual([1, 1]);
    for (const { publishedAt } of group.posts.slice(3)) {
      expect(publishedAt < group.posts[2].updatedAt).toBe(true);
    }
    expect(await readGroup(world, group)).toEqual(group);
  });

  it('is not delayed by a network that does not answer the checks', async () => {
    const { accounts, targets } = await textTargets(world, ['TWITTER', 'FACEBOOK']);
    await sandbox.addFault({ service: 'twitter', mode: 'hang' });
    const content = text();
    const beganMs = Date.now();

    const { result: group } = await measureWaits((waitedMs) => {
      setClock(() => beganMs + waitedMs());

      return withoutFaults(() => newGroup(world, { content, targets }));
    });

    expect(group.posts[1].status).toBe('PUBLISHED');
    expect(Date.parse(group.posts[1].publishedAt) - beganMs).toBeLessThanOrEqual(2_000);
    expect(await shownOn(accounts.slice(1), content)).toEqual([1]);
  });
});

describe('a scheduled or drafted composition', () => {
  it('has a post for each of 20 targets, in all lists', async () => {
    const own = await contentSetup();
    const { targets } = await textTargets(
      own,
      Array.from({ length: 20 }, () => 'LINKEDIN' as const),
    );
    const scheduledAt = inAnHour();

    const group = await newGroup(own, { content: text(), scheduledAt, targets });
    const { body } = await own.ask(listContentPosts, { query: { groupId: group.id, limit: '50' } });

    expect(statesOf(group)).toEqual(targets.map(() => 'SCHEDULED'));
    expect(body.pagination.total).toBe(20);
    expect(new Set(body.contentPosts.map(({ id }: { id: string }) => id))).toEqual(
      new Set(group.posts.map(({ id }: { id: string }) => id)),
    );
    for (const query of [{}, { status: 'SCHEDULED' }, { platform: 'LINKEDIN' }]) {
      const listed = await own.ask(listContentPosts, { query });
      expect(listed.body.pagination.total).toBe(20);
    }
  });

  it('stays a draft with texts that a network would reject', async () => {
    const { targets } = await textTargets(world, ['TWITTER', 'INSTAGRAM']);

    const group = await newGroup(world, { content: 'x'.repeat(1_000), draft: true, targets });

    expect(statesOf(group)).toEqual(['DRAFT', 'DRAFT']);
  });

  it('takes text and media of a target instead of the common ones', async () => {
    const [common, own] = await Promise.all([
      storeMedia(world.organizationId),
      storeMedia(world.organizationId),
    ]);
    const { targets } = await textTargets(world, ['FACEBOOK', 'LINKEDIN', 'TWITTER']);
    const [first, second, third] = targets;

    const group = await newGroup(world, {
      content: 'Common',
      mediaIds: [common.id],
      scheduledAt: inAnHour(),
      utmSource: 'page',
      targets: [
        first,
        { ...second, content: 'Own', mediaIds: [own.id], firstComment: 'More' },
        { ...third, mediaIds: [], thread: [{ content: 'Second' }] },
      ],
    });

    expect(group.posts).toMatchObject([
      { content: 'Common', mediaIds: [common.id], utmSource: 'page' },
      { content: 'Own', mediaIds: [own.id], firstComment: { text: 'More', status: 'PENDING' } },
      { content: 'Common', mediaIds: [], thread: [{ content: 'Second', status: 'PENDING' }] },
    ]);
  });
});

describe('useNextSlot', () => {
  it('schedules each post for the next free slot of its account, and never two for the same slot', async () => {
    const own = await slotsSetup();
    const { targets } = await textTargets(own, ['FACEBOOK', 'TWITTER']);
    const [first, second] = targets.map(({ socialAccountId }) => socialAccountId);
    await own.setSlots({
      timezone: 'UTC',
      slots: [
        ...daily('09:00', '11:00').map((slot) => ({ ...slot, socialAccountId: first })),
        ...daily('10:00').map((slot) => ({ ...slot, socialAccountId: second })),
      ],
    });
    setClock(() => Date.parse('2026-11-26T08:00:00.000Z'));
    const compose = () => newGroup(own, { content: text(), useNextSlot: true, targets });

    const groups = await Promise.all([compose(), compose()]);
    const times = groups.map(({ posts }) =>
      posts.map(({ scheduledAt }: { scheduledAt: string }) => scheduledAt),
    );

    expect(groups.flatMap(statesOf)).toEqual(Array(4).fill('SCHEDULED'));
    expect(times.map(([time]) => time).toSorted()).toEqual([
      '2026-11-26T09:00:00.000Z',
      '2026-11-26T11:00:00.000Z',
    ]);
    expect(times.map(([, time]) => time).toSorted()).toEqual([
      '2026-11-26T10:00:00.000Z',
      '2026-11-27T10:00:00.000Z',
    ]);
  });

  it('is reported if an account has no slot, or together with scheduledAt', async () => {
    const own = await slotsSetup();
    const { targets } = await textTargets(own, ['FACEBOOK', 'TWITTER']);
    const [first] = targets.map(({ socialAccountId }) => socialAccountId);
    await own.setSlots({
      timezone: 'UTC',
      slots: daily('09:00').map((slot) => ({ ...slot, socialAccountId: first })),
    });
    const body = { content: text(), useNextSlot: true, targets };

    const none = await own.ask(createContentGroup, { body });
    const both = await own.ask(createContentGroup, { body: { ...body, scheduledAt: inAnHour() } });

    expect([none.status, none.body.message]).toEqual([
      400,
      ['useNextSlot must not be set: targets.1 has no free posting slot'],
    ]);
    expect([both.status, both.body.message]).toEqual([
      400,
      ['useNextSlot must not be set together with scheduledAt or draft'],
    ]);
  });
});

describe('a target that fails the checks', () => {
  /** Returns everything that is stored about posts. */
  async function storedPosts() {
    const items = await storedItems(`ORG#${world.organizationId}#POST`);

    return items.filter(({ total }) => total !== 0).length;
  }

  async function problemsOf(body: Readonly<Record<string, unknown>>) {
    const before = await storedPosts();
    const { status, body: answer } = await world.ask(createContentGroup, { body });

    expect(status).toBe(400);
    expect(await storedPosts()).toBe(before);

    return answer.message;
  }

  it('is reported, and nothing is created: text, media, and accounts', async () => {
    const { accounts, targets } = await textTargets(world, ['FACEBOOK', 'TWITTER', 'INSTAGRAM']);
    const [good, long, noImage] = targets;
    const inactive = await storeSocialAccount(world.organizationId, { isActive: false });
    const other = await newAccount();
    const foreign = await connectedAccount(other.organizationId);
    const revoked = await connectedAccount(world.organizationId);
    await sandbox.network('FACEBOOK').revokeTokens((await openToken(revoked, 'accessToken')) ?? '');
    const content = 'x'.repeat(300);
    const target = ({ id }: { readonly id: string }) => ({ socialAccountId: id });

    expect(accounts).toHaveLength(3);
    expect(await problemsOf({ content, targets: [good, long, noImage] })).toEqual([
      expect.stringMatching(/^targets\.1\.content must be shorter/),
      expect.stringMatching(/^targets\.2\.mediaUrls must not be empty/),
    ]);
    expect(
      await problemsOf({ content, targets: [good, target(foreign), { socialAccountId: newId() }] }),
    ).toEqual([
      'targets.1.socialAccountId must be a connected social account',
      'targets.2.socialAccountId must be a connected social account',
    ]);
    expect(
      await problemsOf({ content, targets: [target(inactive), good, target(revoked)] }),
    ).toEqual([
      expect.stringMatching(/^targets\.0\.socialAccountId cannot publish/),
      expect.stringMatching(/^targets\.2\.socialAccountId cannot publish/),
    ]);
    expect(await problemsOf({ content, targets: [good, good] })).toEqual([
      'targets.1.socialAccountId must not be the account of another target',
    ]);
  });

  it('is reported for media, threads, first comments, and a missing text', async () => {
    const { targets } = await textTargets(world, ['FACEBOOK', 'TWITTER']);
    const [first, second] = targets;
    const uploading = await storeMedia(world.organizationId, { status: 'UPLOADING' });

    expect(
      await problemsOf({
        content: 'Engines',
        targets: [
          { ...first, mediaIds: [newId()] },
          { ...second, mediaIds: [uploading.id] },
        ],
      }),
    ).toEqual([
      'targets.0.mediaIds.0 must be a medium of the library',
      'targets.1.mediaIds.0 must be READY, and is UPLOADING',
    ]);
    expect(
      await problemsOf({
        content: 'Engines',
        draft: true,
        targets: [
          { ...first, thread: [{ content: 'Second' }] },
          { ...second, firstComment: 'More' },
        ],
      }),
    ).toEqual([
      expect.stringMatching(/^targets\.0\.thread /),
      expect.stringMatching(/^targets\.1\.firstComment /),
    ]);
    expect(await problemsOf({ targets: [{ ...first, content: 'Own' }, second] })).toEqual([
      expect.stringMatching(/^content must be given/),
    ]);
    const hasOwnTexts = targets.map((target) => ({ ...target, content: text() }));
    expect(statesOf(await newGroup(world, { targets: hasOwnTexts }))).toEqual([
      'PUBLISHED',
      'PUBLISHED',
    ]);
  });
});
