import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { logIn } from '#schemas/auth.ts';
import { getImport } from '#schemas/leads.ts';
import { password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { type ImportSetup, importSetup, manyRows } from './setup.ts';

let world: ImportSetup;

beforeEach(async () => {
  world = await importSetup();
});

describe('importing leads', () => {
  it('can be read for 30 days', async () => {
    const { id } = await world.importFile(manyRows(2));

    expect((await world.readBack(id)).import).toMatchObject({ id, status: 'DONE', created: 2 });
    setClock(() => Date.now() + 30 * dayMs + 1_000);
    const session = await call(logIn, { body: { email: world.owner.email, password } });
    const token = session.body.authToken;
    const answer = await call(getImport, { ...world.inOrganization({ import_id: id }), token });
    expect(answer.status).toBe(404);
    expect(answer.body.message).toBe("Import not found or you don't have access");
  });
});
