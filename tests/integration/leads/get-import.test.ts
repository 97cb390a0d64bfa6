import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { logIn } from '#schemas/auth.ts';
import { getImport, listLeads } from '#schemas/leads.ts';
import { newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { type ImportWorld, importWorld, manyRows } from './import-world.ts';

let world: ImportWorld;

beforeEach(async () => {
  world = await importWorld();
});

afterEach(() => setClock());

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

describe('import errors', () => {
  it('answers another organization as if the import did not exist', async () => {
    const { id } = await world.importFile(manyRows(1));
    const stranger = await newAccount();
    const answer = await call(getImport, {
      params: { organization_id: stranger.organizationId, import_id: id },
      token: stranger.token,
    });

    expect(answer.status).toBe(404);
    expect((await call(listLeads, world.inOrganization())).body.pagination.total).toBe(1);
  });
});
