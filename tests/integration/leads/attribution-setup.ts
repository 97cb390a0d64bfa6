import { randomUUID } from 'node:crypto';
import type { Attribution } from '#lib/features/attribution/attribution.ts';
import type { Campaign } from '#lib/features/campaigns/campaign.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { countPersonalClick } from '#lib/features/personal-links/count-click.ts';
import {
  type PersonalLink,
  planPersonalLinks,
} from '#lib/features/personal-links/personal-links.ts';
import { recordLead } from '#lib/features/replies/record-lead.ts';
import { write } from '#lib/platform/db/write.ts';
import { getAttribution } from '#schemas/attribution.ts';
import { listConversations } from '#schemas/conversations.ts';
import { listLeads } from '#schemas/leads.ts';
import { storeConversation, storeMessage } from '#scripts/fixtures/conversations.ts';
import type { Answer } from '#tests/support/api.ts';
import type { LeadSetup } from './setup.ts';

export const parts = ['post', 'campaign', 'keyword', 'network', 'link'] as const;
type Part = (typeof parts)[number];

export type Row = {
  readonly key: string;
  readonly name: string | null;
  readonly clicks: number;
  readonly conversations: number;
  readonly leads: number;
  readonly converted: number;
  readonly valueCents: number;
};

/** Returns the rows of the report, by default for the last 30 days. */
export async function report(
  { ask }: LeadSetup,
  query: Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  const { status, body } = await ask(getAttribution, { query });
  if (status !== 200) {
    throw new Error(`The report answered ${status}: ${body.message}`);
  }

  return body.rows;
}

export type Match = {
  readonly campaign: Pick<Campaign, 'id' | 'pipelineId'>;
  readonly keyword: string;
  readonly platform?: Conversation['platform'];
};

/** A customer writes a message that contains the keyword of a campaign. */
export async function matchKeyword(
  { owner }: LeadSetup,
  match: Match,
  known?: string,
): Promise<Conversation> {
  const { organizationId } = owner;
  const { campaign, keyword, platform = 'FACEBOOK' } = match;
  const conversation = known
    ? await requireConversation(organizationId, known)
    : await storeConversation(organizationId, {
        platform,
        channel: 'COMMENT',
        customer: { id: `customer-${randomUUID()}`, name: 'Charles Babbage' },
      });
  const message = await storeMessage(conversation);
  const found = { campaign: campaign as Campaign, keyword };

  return (await recordLead(conversation, message, found)).conversation;
}

/**
 * The customer follows a personal link to `url` in a private answer to the conversation.
 *
 * @returns the attribution of the click.
 */
export async function followLink(
  { owner }: LeadSetup,
  known: { readonly conversationId: string; readonly leadId: string },
  url: string,
): Promise<Attribution> {
  const { organizationId } = owner;
  const source = await requireConversation(organizationId, known.conversationId);
  const { socialAccountId, leadId = known.leadId, campaignId = '' } = source;
  const target = await storeConversation(organizationId, { socialAccountId, leadId });
  const origin = { campaign: { id: campaignId }, postId: undefined, source };
  const { writes } = await planPersonalLinks(target, [{ label: 'Prices', url }], origin);
  await write(...writes);
  const link = writes[0]?.item as PersonalLink;
  await countPersonalClick({ organizationId, conversationId: target.id, linkId: link.id });

  return link.attribution;
}

type Listed = {
  readonly attribution: Attribution | null;
  readonly createdAt: string;
  readonly keywordMatchedAt?: string | null;
  readonly converted?: boolean;
  readonly value?: number | null;
};

async function listAll({ ask }: LeadSetup, what: 'leads' | 'conversations') {
  const contract = what === 'leads' ? listLeads : listConversations;
  const { body }: Answer = await ask(contract, { query: { limit: '100' } });

  return body[what] as readonly Listed[];
}

function keyOf(part: Part, attribution: Attribution): string | undefined {
  const { network, postId, campaignId, keyword, link } = attribution;

  return { post: postId, campaign: campaignId, keyword, network, link }[part] ?? undefined;
}

/** Counts all listed conversations and leads, and the given clicks. */
export async function recountRows(world: LeadSetup, part: Part, clicks: readonly Attribution[]) {
  const [leads, conversations] = await Promise.all([
    listAll(world, 'leads'),
    listAll(world, 'conversations'),
  ]);
  const rows = new Map<string, { -readonly [Name in keyof Omit<Row, 'name'>]: Row[Name] }>();
  const rowOf = ({ attribution }: Pick<Listed, 'attribution'>) => {
    const key = attribution ? keyOf(part, attribution) : undefined;
    const empty = { clicks: 0, conversations: 0, leads: 0, converted: 0, valueCents: 0 };
    const row = key === undefined ? undefined : (rows.get(key) ?? { key, ...empty });
    if (row) {
      rows.set(row.key, row);
    }

    return row;
  };
  for (const attribution of clicks) {
    const row = rowOf({ attribution });
    if (row) {
      row.clicks += 1;
    }
  }
  for (const conversation of conversations) {
    const row = rowOf(conversation);
    if (row) {
      row.conversations += 1;
    }
  }
  for (const lead of leads) {
    const row = rowOf(lead);
    if (row) {
      row.leads += 1;
      row.converted += lead.converted ? 1 : 0;
      row.valueCents += lead.converted ? (lead.value ?? 0) : 0;
    }
  }

  return [...rows.values()];
}
