import {
  type AttributedCount,
  attributedCount,
  planAttributionCount,
} from '#lib/features/attribution/attribution-counters.ts';
import type { DayRange } from '#lib/platform/day-range.ts';
import { type Amounts, difference } from '#lib/platform/db/amounts.ts';
import { absent, allOf, type Condition } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { type LeadFacet, leadFacets, leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, count, type Write } from '#lib/platform/db/write.ts';
import { overtaken } from '#lib/platform/errors/failures.ts';
import type { LeadStatus } from '#schemas/leads.ts';
import { leadStatuses } from '#schemas/leads.ts';
import type { Lead } from './lead.ts';

/**
 * Leads are counted in the same transaction that changes them. To avoid write contention, the
 * counters of each pipeline and facet value are sharded across this many items. A metric is the sum
 * of its shards.
 */
export const counterShards = 16;

function msBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** Returns the amounts that one lead adds to its pipeline's counters. */
export function pipelineAmounts(lead: Lead): Amounts {
  const amounts: Record<string, number> = {
    total: 1,
    value: lead.value ?? 0,
    [`status_${lead.status}`]: 1,
    [`stage_${lead.stageId}`]: 1,
  };
  if (lead.convertedAt) {
    amounts.convertMs = msBetween(lead.createdAt, lead.convertedAt);
  }
  for (const [stageId, { count: stays, ms }] of Object.entries(lead.stays)) {
    amounts[`stays_${stageId}`] = stays;
    amounts[`stayMs_${stageId}`] = ms;
  }

  return amounts;
}

/** Returns the amounts that one lead adds to the counters of each of its facet values. */
export function facetAmounts(lead: Lead): Amounts {
  return {
    total: 1,
    value: lead.value ?? 0,
    converted: lead.status === 'CONVERTED' ? 1 : 0,
    convertedValue: lead.status === 'CONVERTED' ? (lead.value ?? 0) : 0,
  };
}

/**
 * Returns the amounts that one lead adds to the counter of its attribution, on the day it was
 * created.
 */
export function attributedLead(lead: Lead | undefined): AttributedCount | undefined {
  if (!lead?.attribution) {
    return undefined;
  }
  const { organizationId, id, createdAt: at, attribution } = lead;
  const isConverted = lead.status === 'CONVERTED';
  const amounts = {
    leads: 1,
    converted: isConverted ? 1 : 0,
    valueCents: isConverted ? (lead.value ?? 0) : 0,
  };

  return attributedCount({ organizationId, counted: 'LEADS', id, at, attribution, amounts });
}

/**
 * Returns the lead's value for a facet. Its campaign is the campaign of its conversation, otherwise
 * the one with the same `utmCampaign`.
 */
export function facetValue(lead: Lead, facet: LeadFacet): string | undefined {
  if (facet !== 'campaign') {
    return lead[facet];
  }
  if (lead.campaignId) {
    return campaignFacet.byId(lead.campaignId);
  }

  return lead.utmCampaign ? campaignFacet.byUtm(lead.utmCampaign) : undefined;
}

export const campaignFacet = {
  byId: (campaignId: string) => `id:${campaignId}`,
  byUtm: (utmCampaign: string) => `utm:${utmCampaign}`,
};

/**
 * Returns the writes that apply a change of a lead to all counters. `undefined` means that the lead
 * does not exist before or after the change. A lead cannot enter a closed pipeline or stage.
 */
export function planLeadCount(before: Lead | undefined, after: Lead | undefined): readonly Write[] {
  const lead = after ?? before;
  if (!lead) {
    return [];
  }
  const amounts = difference(
    before ? pipelineAmounts(before) : {},
    after ? pipelineAmounts(after) : {},
  );
  const shard = shardOf(lead.id, counterShards);
  const key = leadKeys.pipelineCounter(lead.organizationId, lead.pipelineId, shard);

  return [
    ...(Object.keys(amounts).length > 0
      ? [change(key, { add: amounts, orCreate: true, ...entryGuard(before, after) })]
      : []),
    ...leadFacets.flatMap((facet) => planFacetCount(facet, shard, before, after)),
    ...planAttributionCount(attributedLead(before), attributedLead(after)),
  ];
}

function entryGuard(before: Lead | undefined, after: Lead | undefined) {
  if (!after || before?.stageId === after.stageId) {
    return {};
  }
  const isOpen: Condition = allOf(absent('closed'), absent(`closed_${after.stageId}`));

  return { when: isOpen, onConditionFailed: () => overtaken('Another request deleted the stage') };
}

function planFacetCount(
  facet: LeadFacet,
  shard: number,
  before: Lead | undefined,
  after: Lead | undefined,
): readonly Write[] {
  const byKey = new Map<string, { key: Key; before: Amounts; after: Amounts }>();
  for (const [side, lead] of [['before', before] as const, ['after', after] as const]) {
    const value = lead ? facetValue(lead, facet) : undefined;
    if (lead && value !== undefined) {
      const key = leadKeys.facetCounter(lead.organizationId, facet, value, shard);
      const entry = byKey.get(key.sk) ?? { key, before: {}, after: {} };
      byKey.set(key.sk, { ...entry, [side]: facetAmounts(lead) });
    }
  }

  return [...byKey.values()].flatMap((entry) => {
    const amounts = difference(entry.before, entry.after);

    return Object.keys(amounts).length > 0 ? [count(entry.key, amounts)] : [];
  });
}

export type StageMetrics = {
  readonly leads: number;
  readonly stays: number;
  readonly stayMs: number;
};

export type PipelineMetrics = {
  readonly total: number;
  readonly value: number;
  readonly convertMs: number;
  readonly statuses: Readonly<Record<LeadStatus, number>>;
  readonly stages: ReadonlyMap<string, StageMetrics>;
};

type CounterItem = Key & Record<string, unknown>;

function sumOf(items: readonly CounterItem[], attribute: string): number {
  return items.reduce((sum, item) => sum + Number(item[attribute] ?? 0), 0);
}

/** Eventually consistent reads may be milliseconds out of date, but cost half as much. */
type Freshness = { readonly eventually?: boolean };

export async function readPipelineMetrics(
  organizationId: string,
  pipelineId?: string,
  options: Freshness = {},
): Promise<PipelineMetrics> {
  const items = await query<Record<string, unknown>>(
    leadRanges.pipelineCounters(organizationId, pipelineId),
    options,
  );
  const stageIds = new Set(
    items.flatMap((item) =>
      Object.keys(item).flatMap((attribute) => /^(?:stage|stays)_(.+)$/.exec(attribute)?.[1] ?? []),
    ),
  );

  return {
    total: sumOf(items, 'total'),
    value: sumOf(items, 'value'),
    convertMs: sumOf(items, 'convertMs'),
    statuses: Object.fromEntries(
      leadStatuses.map((status) => [status, sumOf(items, `status_${status}`)]),
    ) as Record<LeadStatus, number>,
    stages: new Map(
      [...stageIds].map((stageId) => [
        stageId,
        {
          leads: sumOf(items, `stage_${stageId}`),
          stays: sumOf(items, `stays_${stageId}`),
          stayMs: sumOf(items, `stayMs_${stageId}`),
        },
      ]),
    ),
  };
}

export type FacetMetrics = {
  readonly total: number;
  readonly value: number;
  readonly converted: number;
  /** The value of converted leads, in cents. */
  readonly convertedValue: number;
};

/** Returns metrics for each facet value that any lead has, or for one value. */
export async function readFacetMetrics(
  organizationId: string,
  facet: LeadFacet,
  value?: string,
  options: Freshness = {},
): Promise<ReadonlyMap<string, FacetMetrics>> {
  return sumFacets(
    await query<Record<string, unknown>>(
      leadRanges.facetCounters(organizationId, facet, value),
      options,
    ),
  );
}

/** Returns metrics for each day on which any existing lead was created, in order. */
export async function readLeadDays(
  organizationId: string,
  { from, to }: DayRange,
): Promise<ReadonlyMap<string, FacetMetrics>> {
  return sumFacets(
    await query<Record<string, unknown>>(leadRanges.leadDayCounters(organizationId, from, to), {
      eventually: true,
    }),
  );
}

function sumFacets(items: readonly CounterItem[]): ReadonlyMap<string, FacetMetrics> {
  const byValue = Map.groupBy(items, ({ sk }) => sk.slice(0, sk.lastIndexOf('#')));
  const metrics = [...byValue].map(
    ([name, shards]) =>
      [
        name,
        {
          total: sumOf(shards, 'total'),
          value: sumOf(shards, 'value'),
          converted: sumOf(shards, 'converted'),
          convertedValue: sumOf(shards, 'convertedValue'),
        },
      ] as const,
  );

  return new Map(metrics.filter(([, { total }]) => total > 0));
}
