import { randomUUID } from 'node:crypto';
import type { SandboxClient } from '#packages/sandbox/src/client.ts';
import type { SocialLeads } from '#packages/sdk/src/index.ts';
import { ensure, until } from './step.ts';

type Owner = { readonly client: SocialLeads; readonly inPath: { readonly organizationId: string } };
type Page = {
  readonly accountId: string;
  readonly userId: string;
  readonly network: ReturnType<SandboxClient['network']>;
};

const waitSeconds = 30;
const platform = 'FACEBOOK';
const keyword = 'brochure';
const customer = 'Mary Somerville';
const brochure = 'https://example.com/brochure';
const valueCents = 120_000;
/** Clicks by bots do not count. */
const browser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Creates a campaign whose private answer to a comment is a text with a button. */
export async function writeButton(
  { client, inPath }: Owner,
  page: Page,
  pipelineId: string,
  promptTemplateId: string,
) {
  const { campaign } = await client.campaigns.create({
    ...inPath,
    name: 'Brochure',
    pipelineId,
    platform,
    socialAccountIds: [page.accountId],
    keywords: [{ keyword, matchType: 'CONTAINS', priority: 1 }],
    agentConfigs: [
      {
        channel: 'COMMENT',
        promptTemplateId,
        privateReply: {
          text: 'Here is our brochure.',
          buttons: [{ label: 'Brochure', url: brochure }],
        },
      },
    ],
  });
  ensure(campaign.status === 'ACTIVE', `the campaign is ${campaign.status}`);

  return [`comments with "${keyword}" get a button to ${brochure}`, campaign.id] as const;
}

/** A customer comments on the post, and gets a private message with the button. */
export async function askForBrochure({ userId, network }: Page, platformPostId: string) {
  const { eventId } = await network.sendEvent({
    userId,
    type: 'comment',
    text: `May I have the ${keyword}?`,
    from: { id: `customer-${randomUUID().slice(0, 8)}`, name: customer },
    postId: platformPostId,
  });
  const message = await until('no private message arrived', waitSeconds, async () =>
    (await network.replies(userId)).find(
      ({ kind, inReplyTo }) => kind === 'message' && inReplyTo === eventId,
    ),
  );
  const url = message.buttons.find(({ label }) => label === 'Brochure')?.url;
  ensure(typeof url === 'string', 'the message has no button with a link');

  return [`"${message.text}" with a button to ${url}`, url] as const;
}

/** The customer follows the button. The click appears on the lead. */
export async function followButton({ client, inPath }: Owner, campaignId: string, url: string) {
  const answer = await fetch(url, { redirect: 'manual', headers: { 'user-agent': browser } });
  const target = answer.headers.get('location') ?? '';
  ensure(answer.status === 302, `the link returned ${answer.status}`);
  ensure(target.startsWith(brochure), `the link leads to ${target}`);
  const { leads } = await client.leads.list({ ...inPath, campaignId });
  const [{ id: leadId } = { id: '' }] = leads;
  const params = { ...inPath, leadId };
  await until('the click is not on the lead', waitSeconds, async () => {
    const { lead } = await client.leads.get(params);

    return lead.activities.find(({ type }) => type === 'LINK_CLICKED');
  });

  return [`leads to ${target}; LINK_CLICKED is on the lead`, leadId] as const;
}

export async function sell({ client, inPath }: Owner, leadId: string) {
  const { lead } = await client.leads.update({
    ...inPath,
    leadId,
    status: 'CONVERTED',
    value: valueCents,
  });
  ensure(lead.converted, `the lead is ${lead.status}`);

  return ['value 1,200.00', undefined] as const;
}

/** Finds the sale in the attribution by post, keyword and link. */
export async function traceSale({ client, inPath }: Owner, postId: string) {
  const origins = [
    ['post', postId],
    ['keyword', keyword],
    ['link', brochure],
  ] as const;
  for (const [by, key] of origins) {
    const { rows } = await client.leads.getAttribution({ ...inPath, by });
    const row = rows.find((found) => found.key === key);
    ensure(row !== undefined, `the attribution by ${by} has no row ${key}`);
    ensure(
      row.clicks === 1 && row.converted >= 1 && row.valueCents >= valueCents,
      `the attribution by ${by} is ${JSON.stringify(row)}`,
    );
  }

  return [
    `1 click and the sale go back to the post, "${keyword}" and the link`,
    undefined,
  ] as const;
}
