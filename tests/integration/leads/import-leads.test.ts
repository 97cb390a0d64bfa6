import { beforeEach, describe, expect, it } from 'vitest';
import { continueImport } from '#lib/features/leads/import/continue-import.ts';
import { keys } from '#lib/platform/db/keys.ts';
import {
  createLeadWithContact,
  createPipeline,
  deleteLead,
  exportLeads,
  getLead,
  getLeadStats,
  listContacts,
} from '#schemas/leads.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { type Item, storedItems, storeItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { fileOf, type ImportSetup, importSetup, manyRows } from './setup.ts';

let world: ImportSetup;

beforeEach(async () => {
  world = await importSetup();
});

async function totalLeads(): Promise<number> {
  return (await call(getLeadStats, world.inOrganization())).body.stats.totalLeads;
}

async function reportOf(importId: string) {
  const rows = [];
  let query: Record<string, string> = { limit: '100' };
  for (;;) {
    const { import: part, pagination } = await world.readBack(importId, query);
    rows.push(...part.rows);
    if (pagination.nextCursor === null) {
      return rows;
    }
    query = { limit: '100', cursor: pagination.nextCursor };
  }
}

/** Returns the import's items, so that a test can restore them and replay the work. */
function itemsOf(importId: string): Promise<readonly Item[]> {
  return storedItems(keys.leadImport(world.owner.organizationId, importId).pk);
}

function continueAgain(importId: string) {
  const { organizationId } = world.owner;

  return continueImport({
    key: keys.leadImport(organizationId, importId),
    payload: { organizationId, importId },
    remainingMs: () => 300_000,
  });
}

/** Uploads a file that is long enough for the worker, which has not started. */
async function acceptedImport(rows = 130): Promise<string> {
  const accepted = await world.importFile(manyRows(rows));
  expect(accepted).toMatchObject({ status: 'RUNNING', processedRows: 0, rows: [] });

  return accepted.id;
}

describe('importing leads', () => {
  it('creates a contact and a lead per row', async () => {
    const email = freshEmail('charles');
    const done = await world.importFile(
      fileOf(
        [
          'Name',
          'EMAIL',
          'phone',
          'company',
          'source',
          'value',
          'notes',
          'utmSource',
          'utmcampaign',
        ],
        ['Charles', email, '+44 20', 'Difference Ltd', 'fair', 500, 'a\n"b"', 'mail', 'spring'],
      ),
    );
    const [report] = done.rows;

    expect(done).toMatchObject({
      status: 'DONE',
      dryRun: false,
      pipelineId: world.pipelineId,
      ignoredColumns: [],
      totalRows: 1,
      processedRows: 1,
      created: 1,
      merged: 0,
      refused: 0,
    });
    expect(report).toMatchObject({ row: 1, outcome: 'CREATED', reason: null });
    const { lead } = (await call(getLead, world.inOrganization({ lead_id: report.leadId }))).body;
    expect(lead).toMatchObject({
      pipelineId: world.pipelineId,
      source: 'fair',
      value: 500,
      notes: 'a\n"b"',
      utmSource: 'mail',
      utmMedium: null,
      utmCampaign: 'spring',
      status: 'NEW',
      contact: {
        id: report.contactId,
        name: 'Charles',
        email,
        phone: '+44 20',
        company: 'Difference Ltd',
      },
    });
  });

  it('creates a lead for the contact with the address and fills in its missing values', async () => {
    const email = freshEmail();
    const body = {
      contact: { name: 'Ada', email },
      pipelineId: world.pipelineId,
      source: 'website',
    };
    const known = (await call(createLeadWithContact, { ...world.inOrganization(), body })).body
      .contact;
    const partners = await call(createPipeline, {
      ...world.inOrganization(),
      body: { name: 'Partners' },
    });
    const done = await world.importFile(
      fileOf(['email', 'name', 'company'], [email.toUpperCase(), 'Other', 'Engines']),
      { pipelineId: partners.body.pipeline.id, source: 'fair' },
    );

    expect(done).toMatchObject({ created: 0, merged: 1, refused: 0 });
    expect(done.rows[0]).toMatchObject({ outcome: 'MERGED', contactId: known.id });
    const { contacts } = (await call(listContacts, world.inOrganization())).body;
    expect(contacts).toEqual([{ ...known, company: 'Engines' }]);
    const { lead } = (await call(getLead, world.inOrganization({ lead_id: done.rows[0].leadId })))
      .body;
    expect(lead).toMatchObject({ source: 'fair', pipelineId: partners.body.pipeline.id });
  });

  it('rejects individual rows with a reason', async () => {
    const email = freshEmail();
    const body = {
      contact: { name: 'Ada', email },
      pipelineId: world.pipelineId,
      source: 'website',
    };
    await call(createLeadWithContact, { ...world.inOrganization(), body });
    const done = await world.importFile(
      fileOf(
        ['name', 'email', 'value'],
        ['Ada', email, ''],
        ['', 'not an address', 'much'],
        ['Charles', 'charles@example.com', -1],
        ['Charles', 'charles@example.com', 10.5],
        ['Charles', 'charles@example.com', 1],
        ['Charles', 'CHARLES@example.com', 1],
        ['x'.repeat(101), 'long@example.com', 1],
        ['Too few', 'few@example.com'],
      ),
    );

    expect(
      done.rows.map(({ outcome, reason }: Record<string, unknown>) => [outcome, reason]),
    ).toEqual([
      ['REFUSED', 'Lead already exists for this contact and pipeline'],
      ['REFUSED', 'name is required; email must be an email; value must be a number'],
      ['REFUSED', 'value must not be less than 0'],
      ['REFUSED', 'value must be an integer'],
      ['CREATED', null],
      ['REFUSED', 'email is a duplicate of row 5'],
      ['REFUSED', 'name must be shorter than or equal to 100 characters'],
      ['REFUSED', 'row must have 3 cells, not 2'],
    ]);
    expect(done).toMatchObject({ created: 1, merged: 0, refused: 7, processedRows: 8 });
    expect(await totalLeads()).toBe(2);
  });

  it('reports the ignored columns', async () => {
    const done = await world.importFile('name,Fax,email,\r\nAda,1,ada@example.com,x');

    expect(done).toMatchObject({ ignoredColumns: ['Fax', ''], created: 1 });
  });

  it('reports in a dry run what it would do, without creating anything', async () => {
    const email = freshEmail();
    const body = {
      contact: { name: 'Ada', email },
      pipelineId: world.pipelineId,
      source: 'website',
    };
    const known = (await call(createLeadWithContact, { ...world.inOrganization(), body })).body;
    const partners = await call(createPipeline, {
      ...world.inOrganization(),
      body: { name: 'Partners' },
    });
    const csv = fileOf(['name', 'email'], ['Ada', email], ['New', 'new@example.com'], ['', 'x']);
    const before = await storedItems(`ORG#${world.owner.organizationId}#LEAD`);
    const same = await world.importFile(csv, { dryRun: true });
    const other = await world.importFile(csv, {
      dryRun: true,
      pipelineId: partners.body.pipeline.id,
    });

    expect(await storedItems(`ORG#${world.owner.organizationId}#LEAD`)).toEqual(before);
    expect((await call(listContacts, world.inOrganization())).body.pagination.total).toBe(1);
    expect(same).toMatchObject({ dryRun: true, created: 1, merged: 0, refused: 2 });
    expect(other).toMatchObject({ dryRun: true, created: 1, merged: 1, refused: 1 });
    expect(other.rows[0]).toMatchObject({ leadId: null, contactId: known.contact.id });

    const real = await world.importFile(csv, { pipelineId: partners.body.pipeline.id });
    expect(real.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
      other.rows.map(({ outcome }: { outcome: string }) => outcome),
    );
  });

  it('accepts an exported file', async () => {
    await world.importFile(
      fileOf(
        ['name', 'email', 'notes', 'phone', 'tags'],
        ['+Ada', 'ada@example.com', "'＝1\r\n=2", '+44', 'vip,"a, ""b""",-1'],
      ),
    );
    const file = (await call(exportLeads, world.inOrganization())).body;
    const partners = await call(createPipeline, {
      ...world.inOrganization(),
      body: { name: 'Partners' },
    });
    const again = await world.importFile(file, { pipelineId: partners.body.pipeline.id });
    const { lead } = (await call(getLead, world.inOrganization({ lead_id: again.rows[0].leadId })))
      .body;

    expect(again).toMatchObject({ merged: 1 });
    expect(lead).toMatchObject({
      notes: "'＝1\r\n=2",
      tags: ['vip', 'a, "b"', '-1'],
      contact: { name: '+Ada', phone: '+44' },
    });
  });

  it('rejects rows with malformed or too long tags', async () => {
    const { rows } = await world.importFile(
      fileOf(
        ['name', 'email', 'tags'],
        ['Ada', 'ada@example.com', '"vip'],
        ['Bob', 'bob@example.com', 'x'.repeat(51)],
      ),
    );
    expect(rows).toEqual([
      expect.objectContaining({ outcome: 'REFUSED', reason: expect.stringContaining('tags') }),
      expect.objectContaining({ outcome: 'REFUSED', reason: expect.stringContaining('tags.0') }),
    ]);
  });
});

describe('a long import', () => {
  it('runs in the background, and can be read page by page while it runs', async () => {
    const id = await acceptedImport();
    expect(await totalLeads()).toBe(0);
    await drainWork('lead-import');
    const { import: done, pagination } = await world.readBack(id, { page: '2', limit: '60' });

    expect(done).toMatchObject({
      status: 'DONE',
      totalRows: 130,
      processedRows: 130,
      created: 130,
    });
    expect(pagination).toMatchObject({ total: 130, page: 2, limit: 60, hasMore: true });
    const numbers = done.rows.map(({ row }: { row: number }) => row);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 61));
    const all = await reportOf(id);
    expect(all.map(({ row }) => row)).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
    expect(await totalLeads()).toBe(130);
    expect(new Set(all.map(({ leadId }) => leadId)).size).toBe(130);
  });

  it('creates no duplicates and reports the same results when a chunk is reprocessed', async () => {
    const id = await acceptedImport();
    const untouched = (await itemsOf(id)).filter(({ sk }) => !sk.startsWith('OUTBOX#'));
    await drainWork('lead-import');
    const first = await reportOf(id);
    await storeItems(untouched);
    await call(deleteLead, world.inOrganization({ lead_id: first[0].leadId }));
    expect(await continueAgain(id)).toBe('done');

    expect(await reportOf(id)).toEqual(first);
    expect((await world.readBack(id)).import).toMatchObject({ created: 130, processedRows: 130 });
    expect(await totalLeads()).toBe(129);
  });

  it('creates nothing twice when two workers process it concurrently', async () => {
    const id = await acceptedImport();
    await Promise.all([continueAgain(id), continueAgain(id)]);

    expect((await world.readBack(id)).import).toMatchObject({
      created: 130,
      refused: 0,
      status: 'DONE',
    });
    expect(await totalLeads()).toBe(130);
    await drainWork('lead-import');
    expect(await totalLeads()).toBe(130);
  });

  it('stops before the function times out, and continues later', async () => {
    const id = await acceptedImport();
    const { organizationId } = world.owner;
    const work = {
      key: keys.leadImport(organizationId, id),
      payload: { organizationId, importId: id },
    };
    let looks = 0;
    const once = () => {
      looks += 1;

      return looks === 1 ? 300_000 : 1_000;
    };

    expect(await continueImport({ ...work, remainingMs: once })).toBe('unfinished');
    expect((await world.readBack(id)).import).toMatchObject({
      status: 'RUNNING',
      processedRows: 125,
    });
    await drainWork('lead-import');
    expect((await world.readBack(id)).import).toMatchObject({ status: 'DONE', created: 130 });
  });

  it('accepts 10,000 rows and a million characters, and is removed with its organization', async () => {
    const header = 'name,email,notes\r\n';
    const rows = Array.from({ length: 10_000 }, (_, number) =>
      `P ${number},p${number}@example.com,`.padEnd(95, String(number)),
    );
    const accepted = await world.importFile(`${header}${rows.join('\r\n')}`.padEnd(1_000_000, 'x'));

    expect(accepted).toMatchObject({ status: 'RUNNING', totalRows: 10_000, rows: [] });
    await world.importFile(manyRows(3));
    await call(deleteOrganization, { ...world.inOrganization() });
    await drainWork('organization-removal');
    await drainWork('lead-import');
    await removeDeleted(world.owner.organizationId);

    const left = await storedItems(`ORG#${world.owner.organizationId}`);
    expect(left.filter(({ pk }) => !pk.endsWith('#LEDGER'))).toEqual([]);
  });
});

describe('a spreadsheet file', () => {
  it.each([';', '\t'])('may separate its cells with %j', async (separator) => {
    const email = freshEmail();
    const lines = [
      ['name', 'email', 'company'],
      ['Ada', email, 'Engines, Ltd'],
    ];
    const done = await world.importFile(lines.map((line) => line.join(separator)).join('\r\n'), {
      dryRun: true,
    });

    expect(done).toMatchObject({ created: 1, refused: 0, ignoredColumns: [] });
  });
});

describe('import errors', () => {
  it.each([
    ['', 'csv should not be empty'],
    ['name,email', 'csv must have a header and at least one row'],
    ['name,email\r\n\r\n\n', 'csv must have a header and at least one row'],
    ['name,phone\r\nAda,1', 'csv must have the column email'],
    ['name,email,Name\r\nA,b,c', 'csv must have the column name only once'],
    [
      'name,email\r\n"Ada,ada@example.com',
      'csv must be well-formed: record 2 has an unterminated quoted cell',
    ],
    [
      'name,email\r\nM\uFFFDller,m@example.com',
      'csv must be well-formed: record 2 contains U+FFFD, because the file was decoded with another encoding than its own',
    ],
    [`${'a,'.repeat(100)}name\r\nx`, 'csv must have no more than 100 columns'],
    [`name,email\n${'a,b\n'.repeat(10_001)}`, 'csv must have no more than 10000 rows'],
  ])('rejects a file that is not CSV or has invalid rows (%#)', async (csv, message) => {
    const answer = await world.importLeads(csv);

    expect([answer.status, answer.body.message]).toEqual([400, [message]]);
  });
});
