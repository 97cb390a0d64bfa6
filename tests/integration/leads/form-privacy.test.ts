import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { eraseContact, getErasure } from '#schemas/leads.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { exportContact } from '#schemas/persons.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { type FormSetup, formSetup, sendJson } from './setup.ts';

let world: FormSetup;
let marker: string;
let email: string;
let form: { readonly id: string; readonly code: string };

beforeEach(async () => {
  world = await formSetup();
  form = await world.newForm({ consentText: 'I agree.' });
  marker = `zyx${randomUUID().replaceAll(/[^a-f]/g, '')}q`;
  email = `${marker}@example.com`;
  await submit();
  await submit();
});

const submit = () =>
  sendJson(form.code, { email, name: marker, message: `I am ${marker}`, consent: true });

async function itemsWithMarker() {
  const items = await storedItems(keys.organization(world.owner.organizationId).pk);

  return items.filter((item) => JSON.stringify(item).includes(marker));
}

async function contactId(): Promise<string> {
  return (await world.leadsWithActivities())[0].contactId;
}

describe('a person who submitted a form', () => {
  it('is exported with the submissions, and erased with them', async () => {
    const params = { contact_id: await contactId() };
    const file = JSON.parse((await world.ask(exportContact, { params })).body);
    const activities = file.contents.filter(({ kind }: { kind: string }) => kind === 'ACTIVITY');
    expect(activities).toHaveLength(2);
    expect(JSON.stringify(activities)).toContain(`I am ${marker}`);
    expect(JSON.stringify(activities)).toContain('I agree.');
    expect((await itemsWithMarker()).length).toBeGreaterThan(0);

    const { erasure } = (await world.ask(eraseContact, { params })).body;
    await drainWork();
    const done = await world.ask(getErasure, { params: { erasure_id: erasure.id } });
    expect(done.body.erasure.status).toBe('DONE');
    expect(await itemsWithMarker()).toEqual([]);
    expect(await world.submissionsOf(form.id)).toBe(2);
  });

  it('cannot submit during the erasure, and counts as a new person afterwards', async () => {
    const former = await contactId();
    await world.ask(eraseContact, { params: { contact_id: former } });
    expect((await submit()).status).toBe(503);
    await drainWork();
    expect((await submit()).status).toBe(200);
    const leads = await world.leadsWithActivities();

    expect(leads).toHaveLength(1);
    expect(leads[0].activities).toHaveLength(1);
    expect(leads[0].contactId).not.toBe(former);
  });
});

describe('the forms of a deleted organization', () => {
  it('are removed with their addresses and counts', async () => {
    const { organizationId } = world.owner;
    expect(await get(keys.formCode(form.code))).toBeDefined();
    await world.ask(deleteOrganization);
    expect((await submit()).status).toBe(404);
    await removeDeleted(organizationId);

    expect(await get(keys.formCode(form.code))).toBeUndefined();
    expect(await get(keys.record(organizationId, 'FORM', form.id))).toBeUndefined();
    expect(await storedItems(keys.formCounter(organizationId, '', 0).pk)).toEqual([]);
  });
});
