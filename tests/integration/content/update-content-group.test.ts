import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteContentPost, updateContentPost } from '#schemas/content.ts';
import { updateContentGroup } from '#schemas/content-groups.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import {
  contentSetup,
  inAnHour,
  newGroup,
  ofGroup,
  readGroup,
  rejection,
  statesOf,
  textTargets,
} from './setup.ts';

const world = await contentSetup();

const patch = (group: { readonly id: string }, body: Readonly<Record<string, unknown>>) =>
  world.ask(updateContentGroup, { ...ofGroup(group), body });

const textsOf = ({ posts }: { readonly posts: ReadonlyArray<{ readonly content: string }> }) =>
  posts.map(({ content }) => content);

describe('a new text', () => {
  it('replaces only the common text, repeatedly', async () => {
    const { targets } = await textTargets(world, ['FACEBOOK', 'TWITTER', 'LINKEDIN']);
    const [first, second, third] = targets;
    const group = await newGroup(world, {
      content: 'Common',
      scheduledAt: inAnHour(),
      targets: [first, { ...second, content: 'Own' }, third],
    });
    await world.ask(updateContentPost, {
      params: { post_id: group.posts[2].id },
      body: { content: 'Changed' },
    });

    const once = await patch(group, { content: 'Second' });
    const twice = await patch(group, { content: 'Third', tags: ['spring'] });

    expect([once.status, textsOf(once.body.group)]).toEqual([200, ['Second', 'Own', 'Changed']]);
    expect(textsOf(twice.body.group)).toEqual(['Third', 'Own', 'Changed']);
    expect(await readGroup(world, group)).toEqual(twice.body.group);
    expect(twice.body.group.posts).toMatchObject([
      { tags: ['spring'] },
      { tags: ['spring'] },
      { tags: ['spring'] },
    ]);
  });

  it('changes nothing if one network would reject it, and reports the field', async () => {
    const { targets } = await textTargets(world, ['LINKEDIN', 'TWITTER']);
    const group = await newGroup(world, { content: 'Short', scheduledAt: inAnHour(), targets });

    const answer = await patch(group, { content: 'x'.repeat(300) });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(/^content must be .* on TWITTER/)]);
    expect(await readGroup(world, group)).toEqual(group);
  });
});

describe('a new time', () => {
  it('schedules drafts and failed posts, and does not change published ones', async () => {
    const { accounts, targets } = await textTargets(world, ['FACEBOOK', 'FACEBOOK', 'TWITTER']);
    const content = `Engines ${randomUUID()}`;
    const path = `/${accounts[0]?.platformUserId}/feed`;
    await sandbox.addFault({ service: 'facebook', method: 'POST', path, ...rejection });
    const group = await newGroup(world, { content, targets: targets.slice(0, 2) });
    const drafts = await newGroup(world, { content, draft: true, targets });
    const scheduledAt = inAnHour();

    const { body } = await patch(group, { scheduledAt, tags: ['late'] });
    const scheduled = await patch(drafts, { scheduledAt });

    expect(statesOf(group)).toEqual(['FAILED', 'PUBLISHED']);
    expect(body.group.posts).toMatchObject([
      { status: 'SCHEDULED', scheduledAt, tags: ['late'], failureCode: null },
      { status: 'PUBLISHED', scheduledAt: null, tags: [] },
    ]);
    expect(statesOf(scheduled.body.group)).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED']);
    const cleared = await patch(drafts, { scheduledAt: null });
    expect(statesOf(cleared.body.group)).toEqual(['DRAFT', 'DRAFT', 'DRAFT']);
  });

  it('is rejected in the past, for drafts that a network would reject, and for inactive accounts', async () => {
    const inactive = await storeSocialAccount(world.organizationId, { isActive: false });
    const { targets } = await textTargets(world, ['FACEBOOK', 'INSTAGRAM']);
    const group = await newGroup(world, {
      content: 'Engines',
      draft: true,
      targets: [...targets, { socialAccountId: inactive.id }],
    });

    const past = await patch(group, { scheduledAt: '2020-01-01T00:00:00Z' });
    const { status, body } = await patch(group, { scheduledAt: inAnHour() });

    expect([past.status, past.body.message]).toEqual([
      400,
      [
        'scheduledAt must be in the future',
        expect.stringMatching(/^scheduledAt is not possible for target 1: mediaUrls /),
        'scheduledAt is not possible for target 2: its social account is not active',
      ],
    ]);
    expect([status, body.message]).toEqual([
      400,
      [
        expect.stringMatching(
          /^scheduledAt is not possible for target 1: mediaUrls must not be empty/,
        ),
        'scheduledAt is not possible for target 2: its social account is not active',
      ],
    ]);
    expect(await readGroup(world, group)).toEqual(group);
  });
});

it('updateContentGroup returns 404 if all posts are deleted', async () => {
  const { targets } = await textTargets(world, ['FACEBOOK']);
  const group = await newGroup(world, { content: 'Engines', draft: true, targets });
  await world.ask(deleteContentPost, { params: { post_id: group.posts[0].id } });

  expect((await patch(group, { content: 'Again' })).status).toBe(404);
});
