import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { createContact, eraseContact, getErasure } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { type LeadWorld, leadWorld } from './world.ts';

let world: LeadWorld;

beforeAll(async () => {
  world = await leadWorld();
});

function read(erasureId: string) {
  return world.ask(getErasure, { params: { erasure_id: erasureId } });
}

describe('reading an erasure', () => {
  it('shows it while it is pending and when it is done', async () => {
    const body = { name: 'Charles Babbage', email: freshEmail() };
    const { contact } = (await world.ask(createContact, { body })).body;
    const params = { contact_id: contact.id };
    const { erasure } = (await world.ask(eraseContact, { params })).body;

    expect((await read(erasure.id)).body.erasure).toEqual(erasure);
    await drainWork();

    expect((await read(erasure.id)).body.erasure).toEqual({
      ...erasure,
      status: 'DONE',
      doneAt: expect.any(String),
    });
  });

  it('returns 404 for an unknown erasure', async () => {
    const { status, body } = await read(newId());

    expect(status).toBe(404);
    expect(body.message).toBe("Erasure not found or you don't have access");
  });
});
