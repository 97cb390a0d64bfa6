import { describe, expect, it } from 'vitest';
import { secondMs, timestamp } from '#lib/platform/clock.ts';
import { getContentPost } from '#schemas/content.ts';
import { contentSetup } from './setup.ts';

const world = await contentSetup();

describe('a post created with the API', () => {
  it('can be read individually with its status', async () => {
    const post = await world.newPost({ scheduledAt: timestamp(30 * secondMs) });
    const { body } = await world.ask(getContentPost, { params: { post_id: post.id } });

    expect(body.contentPost).toEqual(post);
  });
});
