import { describe, expect, it } from 'vitest';
import {
  addLeadTags,
  createContact,
  getLead,
  listLeads,
  listLeadTags,
  mergeContacts,
  updateLead,
} from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { atOnce } from '#tests/support/depth.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

const manyTags = (prefix: string) => Array.from({ length: 30 }, (_, index) => `${prefix} ${index}`);

function add(leadId: string, tags: readonly unknown[]) {
  return world.ask(addLeadTags, { params: { lead_id: leadId }, body: { tags } });
}

async function idsWith(tag: string, query: Readonly<Record<string, string>> = {}) {
  const listed = await world.ask(listLeads, { query: { tag, ...query } });

  return listed.body.leads.map((lead: { id: string }) => lead.id);
}

describe('adding tags to a lead', () => {
  it('adds all of 30 different tags from concurrent requests', { timeout: 120_000 }, async () => {
    const { id } = await world.newLead();
    const tags = manyTags('once');
    const answers = await Promise.all(tags.map((tag) => add(id, [tag])));
    const read = await world.ask(getLead, { params: { lead_id: id } });

    expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 200));
    expect(read.body.lead.tags.toSorted()).toEqual(tags.toSorted());
  });

  it('keeps existing tags, and ignores duplicates', async () => {
    const { id } = await world.newLead({ tags: ['first'] });
    const added = await add(id, ['second', 'first', 'second', '  third  ']);
    expect(added.status).toBe(200);
    expect(added.body.lead.tags).toEqual(['first', 'second', 'third']);
    const read = await world.ask(getLead, { params: { lead_id: id } });
    expect(read.body.lead.tags).toEqual(['first', 'second', 'third']);
  });

  it('compares tags exactly, in Unicode form NFC', async () => {
    const { id } = await world.newLead();
    const added = await add(id, ['Caf\u00e9', 'Cafe\u0301', 'caf\u00e9']);
    expect(added.body.lead.tags).toEqual(['Caf\u00e9', 'caf\u00e9']);
    expect(await idsWith('Cafe\u0301')).toEqual([id]);
  });

  it.each([
    ['.', 'tags.0'],
    ['..', 'tags.0'],
    ['', 'tags.0'],
    ['x'.repeat(51), 'tags.0'],
    [7, 'tags.0'],
  ])('rejects %j', async (tag, field) => {
    const { id } = await world.newLead();
    const refused = await add(id, [tag]);
    expect([refused.status, refused.body.message.join()]).toEqual([
      400,
      expect.stringContaining(field),
    ]);
  });

  it('rejects the 31st tag and does not change the lead', async () => {
    const { id } = await world.newLead({ tags: manyTags('full') });
    const refused = await add(id, ['one more']);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      ['tags must leave the lead with no more than 30 tags'],
    ]);
    expect((await add(id, ['full 3'])).body.lead.tags).toEqual(manyTags('full'));
    expect(await idsWith('one more')).toEqual([]);
  });

  it('replaces all 30 tags of a lead by an update', async () => {
    const { id } = await world.newLead({ tags: manyTags('old') });
    const params = { lead_id: id };
    const updated = await world.ask(updateLead, { params, body: { tags: manyTags('new') } });
    expect(updated.body.lead.tags).toEqual(manyTags('new'));
    expect(await idsWith('old 29')).toEqual([]);
    expect(await idsWith('new 29')).toEqual([id]);
    const cleared = await world.ask(updateLead, { params, body: { tags: null } });
    expect(cleared.body.lead.tags).toEqual([]);
    expect(await idsWith('new 29')).toEqual([]);
  });

  it('lists a lead with the contact that it was moved to', async () => {
    const { id, contactId: duplicateId } = await world.newLead({ tags: ['moved'] });
    const body = { name: 'Ada Lovelace', email: freshEmail('ada') };
    const { contact } = (await world.ask(createContact, { body })).body;
    await world.ask(mergeContacts, { params: { contact_id: contact.id }, body: { duplicateId } });
    const [lead] = (await world.ask(listLeads, { query: { tag: 'moved' } })).body.leads;
    expect(lead).toMatchObject({ id, contact: { id: contact.id, name: 'Ada Lovelace' } });
  });

  it('fits 30 tags and the longest contact into one transaction', async () => {
    const words = Array.from({ length: 20 }, (_, index) => `w${index}`).join(' ');
    const contact = { name: words, company: words, email: freshEmail('long') };
    const { id } = await world.newLead({ contact, tags: manyTags('fits'), value: 5 });
    expect(await idsWith('fits 29')).toEqual([id]);
  });
});

describe('leads with a tag', () => {
  it('are listed newest first, page by page, and with other filters', async () => {
    const ids: string[] = [];
    for (let created = 0; created < 5; created += 1) {
      const source = created % 2 === 0 ? 'even' : 'odd';
      ids.unshift((await world.newLead({ tags: ['paged'], source })).id);
    }
    await world.newLead({ tags: ['paged#1', 'page'], source: 'even' });
    expect(await idsWith('paged')).toEqual(ids);
    expect(await idsWith('paged', { source: 'odd' })).toEqual([ids[1], ids[3]]);
    const first = await world.ask(listLeads, { query: { tag: 'paged', limit: '2' } });
    expect(first.body.pagination).toMatchObject({ total: 5, hasMore: true });
    expect(first.body.leads[0]).toMatchObject({ contact: { name: 'Charles Babbage' } });
    const cursor = first.body.pagination.nextCursor;
    expect(await idsWith('paged', { limit: '2', cursor })).toEqual(ids.slice(2, 4));
    expect(await idsWith('paged', { limit: '2', page: '3' })).toEqual(ids.slice(4));
  });

  it('are counted exactly after many concurrent changes', async () => {
    const leads = await Promise.all(Array.from({ length: 20 }, () => world.newLead()));
    const outcomes = await Promise.all(
      Array.from({ length: atOnce(60) }, async (_, index) => {
        const lead = leads[index % leads.length];
        const tag = `parallel ${index % 3}`;
        const added = await add(lead.id, [tag]);

        return added.status === 200 ? `${lead.id} ${tag}` : `refused ${added.status}`;
      }),
    );
    const applied = new Set(outcomes.filter((outcome) => !outcome.startsWith('refused')));
    const counts = (await world.ask(listLeadTags)).body.tags as Array<{
      tag: string;
      count: number;
    }>;
    const counted = counts.filter(({ tag }) => tag.startsWith('parallel'));
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(applied.size);
    for (const { tag, count } of counted) {
      expect(await idsWith(tag, { limit: '100' })).toHaveLength(count);
    }
  });
});
