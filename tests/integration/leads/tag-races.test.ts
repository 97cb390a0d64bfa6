import { describe, expect, it } from 'vitest';
import {
  addLeadTags,
  deleteLead,
  listLeads,
  listLeadTags,
  removeLeadTag,
  updateLead,
} from '#schemas/leads.ts';
import { leadSetup } from './setup.ts';

const tags = ['red', 'green', 'blue'];

describe('100 parallel changes of tags', () => {
  it('leave counts and lists that equal a recount of the leads', async () => {
    const world = await leadSetup();
    const leads = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        world.newLead({ tags: tags.slice(0, index % (tags.length + 1)) }),
      ),
    );
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const params = { lead_id: leads[index % leads.length].id };
        const tag = tags[index % tags.length] ?? '';
        switch (index % 5) {
          case 0:
          case 1:
            return world.ask(addLeadTags, { params, body: { tags: [tag] } });
          case 2:
            return world.ask(removeLeadTag, { params: { ...params, tag } });
          case 3:
            return world.ask(updateLead, { params, body: { tags: [tag, `new ${index % 2}`] } });
          default:
            return index < 20 ? world.ask(deleteLead, { params }) : world.newLead({ tags: [tag] });
        }
      }),
    );

    const left: ReadonlyArray<{ readonly id: string; readonly tags: readonly string[] }> = (
      await world.ask(listLeads, { query: { limit: '100' } })
    ).body.leads;
    const recount = new Map<string, string[]>();
    for (const { id, tags: ofLead } of left) {
      for (const tag of ofLead) {
        recount.set(tag, [...(recount.get(tag) ?? []), id]);
      }
    }
    const listed: ReadonlyArray<{ readonly tag: string; readonly count: number }> = (
      await world.ask(listLeadTags)
    ).body.tags;
    expect(new Map(listed.map(({ tag, count }) => [tag, count]))).toEqual(
      new Map([...recount].map(([tag, ids]) => [tag, ids.length])),
    );
    for (const [tag, ids] of recount) {
      const { leads: found } = (await world.ask(listLeads, { query: { tag, limit: '100' } })).body;
      expect(found.map(({ id }: { readonly id: string }) => id)).toEqual(ids);
    }
  });
});
