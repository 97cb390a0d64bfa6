import { describe, expect, it } from 'vitest';
import { deleteLead, listLeads, listLeadTags, removeLeadTag } from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

const world = await leadSetup();

const untag = (leadId: string, tag: string) =>
  world.ask(removeLeadTag, { params: { lead_id: leadId, tag } });

describe('removing a tag from a lead', () => {
  it('removes it from the lead, the list and the counts', async () => {
    const { id } = await world.newLead({ tags: ['stays', 'goes'] });
    const removed = await untag(id, 'goes');
    expect([removed.status, removed.body.lead.tags]).toEqual([200, ['stays']]);
    expect((await world.ask(listLeads, { query: { tag: 'goes' } })).body.leads).toEqual([]);
    const { tags } = (await world.ask(listLeadTags)).body;
    expect(tags).toContainEqual({ tag: 'stays', count: 1 });
    expect(tags).not.toContainEqual(expect.objectContaining({ tag: 'goes' }));
  });

  it('changes nothing if the lead does not have it', async () => {
    const lead = await world.newLead({ tags: ['mine'] });
    const removed = await untag(lead.id, 'unknown');
    expect([removed.status, removed.body.lead.tags]).toEqual([200, ['mine']]);
    expect(removed.body.lead.updatedAt).toBe(lead.updatedAt);
  });

  it('removes tags with reserved characters', async () => {
    const tags = ['50% off', 'a#b', 'a?b=c', '\u00e4\u00f6 \u{1f3af}'];
    const { id } = await world.newLead({ tags });
    for (const tag of tags) {
      await untag(id, tag);
    }
    expect((await untag(id, 'none')).body.lead.tags).toEqual([]);
  });

  it('does not count the tags of a deleted lead', async () => {
    const { id } = await world.newLead({ tags: ['deleted with its lead'] });
    await world.ask(deleteLead, { params: { lead_id: id } });
    const { tags } = (await world.ask(listLeadTags)).body;
    expect(tags).not.toContainEqual(expect.objectContaining({ tag: 'deleted with its lead' }));
    const listed = await world.ask(listLeads, { query: { tag: 'deleted with its lead' } });
    expect(listed.body.pagination.total).toBe(0);
  });
});
