import { describe, expect, it } from 'vitest';
import { createContact, eraseContact, getErasure } from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { drainWork } from '#tests/support/work.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

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
});
