import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';
import { campaignSetup } from './setup.ts';

const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;

const world = await campaignSetup();

describe("a campaign's webhook", () => {
  it('receives each change, signed with a secret that is returned only when it is set', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const made = await world.office.newCampaign({ webhookUrl: `${receiver}/${first}` });
    const params = { campaign_id: made.id };
    const changed = await world.updateCampaign(made.id, { name: 'Autumn sale' });
    const moved = await world.updateCampaign(made.id, { webhookUrl: `${receiver}/${second}` });
    await drainWork();
    const requests = await sandbox.requests({ service: 'hooks' });
    const sentTo = (name: string) => requests.filter(({ path }) => path.endsWith(name));
    const open = (name: string, secret: string) =>
      sentTo(name).map(({ body, headers }) =>
        new Webhook(secret).verify(body ?? '', headers as Record<string, string>),
      );

    expect(made.webhookSecret).toMatch(/^whsec_/);
    expect(changed.body.campaign.webhookSecret).toBeNull();
    const { webhookSecret } = moved.body.campaign;
    expect(webhookSecret).not.toBe(made.webhookSecret);
    expect([...open(second, webhookSecret)]).toMatchObject([
      { type: 'campaign.updated', data: { campaignId: made.id } },
      { type: 'campaign.updated', data: { campaign: { name: 'Autumn sale' } } },
    ]);
    const deliveries = await world.office.ask(campaigns.listCampaignDeliveries, { params });
    expect(deliveries.body.pagination.total).toBe(2);
    expect(
      JSON.stringify([deliveries.body, (await world.getCampaign(made.id)).body]),
    ).not.toContain('whsec_');
    const happened = await planCampaignEvent(world.office.organizationId, made.id, {
      type: 'message.sent',
      data: { channel: 'COMMENT' },
    });
    expect(happened.length).toBeGreaterThan(0);
    await world.updateCampaign(made.id, { webhookUrl: null });
    const afterwards = await planCampaignEvent(world.office.organizationId, made.id, {
      type: 'message.sent',
      data: { channel: 'COMMENT' },
    });
    expect(afterwards).toEqual([]);
  });
});
