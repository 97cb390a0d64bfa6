import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  planAttributionCount,
  planClickAttribution,
} from '#lib/features/attribution/attribution-counters.ts';
import { requireLead } from '#lib/features/leads/lead.ts';
import { attributedLead } from '#lib/features/leads/lead-counters.ts';
import { setClock, timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { forgetLastId, newId } from '#lib/platform/ids.ts';
import { getAttribution } from '#schemas/attribution.ts';
import { createContentPost, deleteContentPost } from '#schemas/content.ts';
import { getConversation } from '#schemas/conversations.ts';
import { convertConversation, deleteLead, getLead, updateLead } from '#schemas/leads.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { metered } from '#tests/support/metered.ts';
import { newCustomer, replySetup } from '../replies/setup.ts';
import { matchKeyword, parts, report } from './attribution-setup.ts';
import { type LeadSetup, leadSetup } from './setup.ts';

let world: LeadSetup;

beforeEach(async () => {
  world = await leadSetup();
});

function matchedCampaign() {
  return { id: randomUUID(), pipelineId: world.pipeline.id };
}

describe('getAttribution', () => {
  it('traces a sale back to the post, the campaign, the keyword and the network', async () => {
    const { owner, ask } = world;
    const reply = replySetup(owner);
    const account = await reply.account();
    const campaign = await reply.campaign(account, { name: 'Spring sale' });
    const content = `New engines. ${'They are fast. '.repeat(10)}`;
    const body = { socialAccountId: account.id, platform: account.platform, content };
    const { contentPost } = (await ask(createContentPost, { body })).body;
    await reply.say(account, {
      type: 'comment',
      text: 'What is the price?',
      from: newCustomer(),
      postId: contentPost.platformPostId,
    });
    await reply.workOff();
    const [lead] = await reply.leads();
    const params = { lead_id: lead.id };
    await ask(updateLead, { params, body: { status: 'CONVERTED', value: 50_000 } });

    const counted = { clicks: 0, conversations: 1, leads: 1, converted: 1, valueCents: 50_000 };
    const postName = contentPost.content.slice(0, 100);
    expect(await report(world, { by: 'post' })).toEqual([
      { key: contentPost.id, name: postName, ...counted },
    ]);
    expect(await report(world, { by: 'campaign' })).toEqual([
      { key: campaign.id, name: 'Spring sale', ...counted },
    ]);
    expect(await report(world, { by: 'keyword' })).toEqual([
      { key: 'price', name: 'price', ...counted },
    ]);
    expect(await report(world, { by: 'network' })).toEqual([
      { key: account.platform, name: account.platform, ...counted },
    ]);
    expect(await report(world, { by: 'link' })).toEqual([]);
    const attribution = {
      network: account.platform,
      postId: contentPost.id,
      campaignId: campaign.id,
      keyword: 'price',
      link: null,
    };
    expect((await ask(getLead, { params })).body.lead.attribution).toEqual(attribution);
    const conversation = { params: { conversation_id: lead.conversationId } };
    expect((await ask(getConversation, conversation)).body.conversation).toMatchObject({
      attribution,
      keywordMatchedAt: expect.any(String),
    });

    const deleted = await ask(deleteContentPost, { params: { post_id: contentPost.id } });
    expect(deleted.status).toBe(200);
    expect(await report(world, { by: 'post' })).toEqual([
      { key: contentPost.id, name: null, ...counted },
    ]);
  });

  it('no longer counts a lead that is deleted or not converted any more', async () => {
    const { leadId = '' } = await matchKeyword(world, {
      campaign: matchedCampaign(),
      keyword: 'price',
    });
    const params = { lead_id: leadId };
    const change = (body: object) => world.ask(updateLead, { params, body });
    const rows = () => report(world, { by: 'keyword' });

    await change({ status: 'CONVERTED', value: 700 });
    await change({ value: 900 });
    expect(await rows()).toMatchObject([{ leads: 1, converted: 1, valueCents: 900 }]);
    await change({ status: 'LOST' });
    expect(await rows()).toMatchObject([{ leads: 1, converted: 0, valueCents: 0 }]);
    await change({ status: 'CONVERTED' });
    await world.ask(deleteLead, { params });
    expect(await rows()).toMatchObject([
      { conversations: 1, leads: 0, converted: 0, valueCents: 0 },
    ]);
  });

  it('moves a conversation to the campaign and keyword that matched last', async () => {
    const campaign = matchedCampaign();
    const { id } = await matchKeyword(world, { campaign, keyword: 'price' });
    const other = matchedCampaign();
    await matchKeyword(world, { campaign: other, keyword: 'delivery' }, id);

    expect(await report(world, { by: 'keyword' })).toMatchObject([
      { key: 'price', conversations: 0, leads: 1 },
      { key: 'delivery', conversations: 1, leads: 0 },
    ]);
  });

  it('attributes a lead that a person creates from a conversation, but no other', async () => {
    const { id: conversationId } = await storeConversation(world.owner.organizationId, {
      platform: 'INSTAGRAM',
    });
    const body = { conversationId, pipelineId: world.pipeline.id, source: 'social' };
    await world.ask(convertConversation, { body });
    await world.newLead();

    expect(await report(world, { by: 'network' })).toMatchObject([
      { key: 'INSTAGRAM', conversations: 0, leads: 1 },
    ]);
    expect(await report(world, { by: 'campaign' })).toEqual([]);
  });

  it('counts on UTC days, both inclusive, and conversions on the day of the lead', async () => {
    const { organizationId } = world.owner;
    const day = Date.parse('2026-01-10T23:59:59.999Z');
    setClock(() => day);
    forgetLastId();
    const { id, leadId = '' } = await matchKeyword(world, {
      campaign: matchedCampaign(),
      keyword: 'price',
    });
    setClock(() => day + 1);
    const attribution = { network: 'FACEBOOK', keyword: 'price' } as const;
    await write(...planClickAttribution({ organizationId, id, at: timestamp(), attribution }));
    setClock(undefined);
    const params = { lead_id: leadId };
    await world.ask(updateLead, { params, body: { status: 'CONVERTED', value: 5 } });
    const between = (from: string, to: string) => report(world, { by: 'keyword', from, to });

    const ofLead = { conversations: 1, leads: 1, converted: 1, valueCents: 5 };
    expect(await between('2026-01-10', '2026-01-11')).toMatchObject([{ ...ofLead, clicks: 1 }]);
    expect(await between('2026-01-01', '2026-01-10')).toMatchObject([{ ...ofLead, clicks: 0 }]);
    expect(await between('2026-01-11', '2026-01-31')).toMatchObject([{ clicks: 1, leads: 0 }]);
    expect(await between('2026-01-12', '2026-01-31')).toEqual([]);
  });

  it.each([
    [{}, 'by is required'],
    [{ by: 'agent' }, 'by must be'],
    [{ by: 'post', from: 'yesterday' }, 'from must be'],
    [{ by: 'post', from: '2026-02-02', to: '2026-02-01' }, 'to must not be before from'],
    [
      { by: 'post', from: '2025-01-01', to: '2026-01-02' },
      'from must not be more than 366 days before to',
    ],
  ])('rejects %j', async (query, message) => {
    const answer = await world.ask(getAttribution, { query });

    expect(answer.status).toBe(400);
    expect(String(answer.body.message)).toContain(message);
  });

  it('costs the same with few leads and with 1,000', async () => {
    const { organizationId } = world.owner;
    const { leadId = '' } = await matchKeyword(world, {
      campaign: matchedCampaign(),
      keyword: 'price',
    });
    const lead = await requireLead(organizationId, leadId);
    /** The last digit of the id determines the shard. */
    const countLeads = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          const id = `${newId().slice(0, -1)}${(index % 16).toString(16)}`;

          return write(...planAttributionCount(undefined, attributedLead({ ...lead, id })));
        }),
      );
    const units = async () => {
      const costs = [];
      for (const by of parts) {
        costs.push((await metered(() => report(world, { by }))).units);
      }

      return costs;
    };

    await countLeads(16);
    const few = await units();
    for (let counted = 17; counted < 1_000; counted += 1) {
      await countLeads(1);
    }

    expect(await units()).toEqual(few);
    expect(await report(world, { by: 'keyword' })).toMatchObject([{ leads: 1_000 }]);
  });
});
