import { describe, expect, it } from 'vitest';
import { createContentPost, reconcileContentPost } from '#schemas/content.ts';
import { sandbox } from '#tests/support/mails.ts';
import { bodyFor, contentSetup } from './setup.ts';

const world = await contentSetup();

describe('creating a post without a time', () => {
  it('stores it as FAILED when the network accepted it without responding, and reconcile finds it', async () => {
    const body = bodyFor(world.account);
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });
    const { status, body: answer } = await world.ask(createContentPost, { body });
    const post = answer.contentPost;

    expect(status).toBe(201);
    expect(post).toMatchObject({ status: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' });
    expect(post.failureReason).toBeTruthy();
    const settled = await world.ask(reconcileContentPost, { params: { post_id: post.id } });
    expect(settled.body.contentPost).toMatchObject({ status: 'PUBLISHED', failureReason: null });
    expect(settled.body.contentPost.platformPostId).toBeTruthy();
    expect((await world.published()).filter((text) => text === body.content)).toHaveLength(1);
  });

  it('keeps its status when the network cannot confirm it, and reconcile does not resend it', async () => {
    const body = bodyFor(world.account);
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang', times: 1 });
    const { contentPost: post } = (await world.ask(createContentPost, { body })).body;
    const settled = await world.ask(reconcileContentPost, { params: { post_id: post.id } });

    expect(settled.body.contentPost).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
    });
    expect(await world.published()).not.toContain(body.content);
  });
});
