import { beforeEach, describe, expect, it } from 'vitest';
import { readCsv } from '#lib/platform/csv/read-csv.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { newId } from '#lib/platform/ids.ts';
import { createLeadWithContact, exportLeads, listPipelines, updateLead } from '#schemas/leads.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { type Account, freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storeItems } from '#tests/support/table.ts';

let owner: Account;
let pipeline: { readonly id: string; readonly stages: ReadonlyArray<{ readonly id: string }> };

beforeEach(async () => {
  owner = await newAccount();
  const answer = await call(listPipelines, inOrganization());
  [pipeline] = answer.body.pipelines;
});

function inOrganization() {
  return { params: { organization_id: owner.organizationId }, token: owner.token };
}

async function newLead(details: Readonly<Record<string, unknown>> = {}, contact = {}) {
  const body = {
    contact: { name: 'Charles Babbage', email: freshEmail('charles'), ...contact },
    pipelineId: pipeline.id,
    source: 'website',
    ...details,
  };
  const { lead } = (await call(createLeadWithContact, { ...inOrganization(), body })).body;

  return lead;
}

async function download(query: Readonly<Record<string, string>> = {}, token = owner.token) {
  const answer = await call(exportLeads, { ...inOrganization(), query, token });
  const [header = [], ...rows] = [...readCsv(answer.body)];
  const leads = rows.map((row) =>
    Object.fromEntries(row.map((cell, index) => [header[index] ?? '', cell])),
  );
  const next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1];

  return { ...answer, header, leads, next };
}

function idsOf(leads: ReadonlyArray<{ readonly id?: string }>) {
  return leads.map(({ id }) => id);
}

describe('the audit log', () => {
  it('shows who exported how many leads', async () => {
    await newLead();
    await newLead();
    await download();
    const { body } = await call(listAuditLog, inOrganization());

    expect(body.entries[0]).toMatchObject({
      action: 'leads.exported',
      actorId: owner.userId,
      targetId: owner.organizationId,
      details: { leads: 2 },
    });
  });
});

describe('exporting leads', () => {
  it('returns a CSV file of all leads, newest first', async () => {
    const first = await newLead();
    const second = await newLead(
      { value: 500, notes: 'two\nlines, "quoted"', utmCampaign: 'spring' },
      { company: 'Difference Ltd' },
    );
    const { status, headers, header, leads } = await download();

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="leads-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(headers).not.toHaveProperty('link');
    expect(header.slice(0, 5)).toEqual(['id', 'createdAt', 'updatedAt', 'name', 'email']);
    expect(idsOf(leads)).toEqual([second.id, first.id]);
    expect(leads[0]).toMatchObject({
      name: 'Charles Babbage',
      email: second.contact.email,
      phone: '',
      company: 'Difference Ltd',
      pipeline: 'Sales Pipeline',
      stage: 'New',
      status: 'NEW',
      source: 'website',
      value: '500',
      notes: 'two\nlines, "quoted"',
      utmCampaign: 'spring',
      convertedAt: '',
    });
  });

  it('returns only the header when there are no leads', async () => {
    const { body, leads } = await download();

    expect(leads).toEqual([]);
    expect(body).toMatch(/^\uFEFFid,createdAt,[A-Za-z,]+\r\n$/);
  });

  it('escapes spreadsheet formulas', async () => {
    await newLead(
      { notes: '=HYPERLINK("http://evil.example.com")', source: '@SUM(A1)', utmSource: '-1' },
      { name: '+1+1', phone: '+44 20 7946 0000' },
    );
    const { leads } = await download();

    expect(leads[0]).toMatchObject({
      notes: '\'=HYPERLINK("http://evil.example.com")',
      source: "'@SUM(A1)",
      utmSource: "'-1",
      name: "'+1+1",
      phone: "'+44 20 7946 0000",
    });
  });

  it('accepts the filters of the list in any combination', async () => {
    const [one, other] = [await newLead({ source: 'fair' }), await newLead({ source: 'fair' })];
    await newLead();
    await call(updateLead, {
      params: { organization_id: owner.organizationId, lead_id: other.id },
      token: owner.token,
      body: { status: 'LOST' },
    });

    expect(idsOf((await download({ source: 'fair' })).leads)).toEqual([other.id, one.id]);
    expect(idsOf((await download({ source: 'fair', status: 'LOST' })).leads)).toEqual([other.id]);
    expect((await download({ source: 'nowhere' })).leads).toEqual([]);
  });

  it('returns a Link header to the next part that keeps the filters', async () => {
    const made = [];
    for (let number = 0; number < 5; number += 1) {
      made.unshift(await newLead({ source: 'fair' }));
    }
    const parts: Array<readonly (string | undefined)[]> = [];
    let query: Record<string, string> | undefined = { source: 'fair', limit: '2' };
    while (query) {
      const part: Awaited<ReturnType<typeof download>> = await download(query);
      parts.push(idsOf(part.leads));
      const next: URL | undefined = part.next
        ? new URL(part.next, 'https://api.example.com')
        : undefined;
      query = next && Object.fromEntries(next.searchParams);
      expect(next?.pathname ?? `/leads/${owner.organizationId}/export`).toBe(
        `/leads/${owner.organizationId}/export`,
      );
    }

    expect(parts.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(parts.flat()).toEqual(idsOf(made));
  });

  it('stays below the response size limit and continues in the next part', async () => {
    const { contactId, stageId } = await newLead();
    const { organizationId } = owner;
    const leads = Array.from({ length: 400 }, () => {
      const id = newId();

      return {
        ...keys.lead(organizationId, id),
        ...{ id, organizationId, contactId, stageId, pipelineId: pipeline.id },
        ...{ list: listOf('lead', id), source: 'long', status: 'NEW' },
        notes: '"'.repeat(5_000),
      };
    });
    await storeItems(leads);
    const first = await download({ source: 'long' });
    const link = new URL(String(first.next), 'https://api.example.com');
    const second = await download(Object.fromEntries(link.searchParams));

    expect(Buffer.byteLength(JSON.stringify(first.body))).toBeLessThan(5_100_000);
    expect(second.headers).not.toHaveProperty('link');
    expect(idsOf([...first.leads, ...second.leads])).toEqual(idsOf(leads.toReversed()));
  });

  it.each([
    [{ limit: '0' }, 'limit must not be less than 1'],
    [{ limit: '10001' }, 'limit must not be greater than 10000'],
    [{ cursor: 'nonsense' }, 'cursor must be the nextCursor of a previous page of this list'],
    [{ status: 'OTHER' }, 'status must be one of the following values'],
  ])('rejects %j', async (query, message) => {
    const answer = await call(exportLeads, { ...inOrganization(), query });

    expect(answer.status).toBe(400);
    expect(answer.body.message[0]).toContain(message);
  });
});
