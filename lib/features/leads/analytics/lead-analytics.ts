import {
  campaignFacet,
  type FacetMetrics,
  readFacetMetrics,
  readLeadDays,
  readPipelineMetrics,
} from '#lib/features/leads/lead-counters.ts';
import { requirePipelineOrDefault } from '#lib/features/leads/pipelines/pipeline.ts';
import type { DayRange } from '#lib/platform/day-range.ts';
import { campaignRanges } from '#lib/platform/db/keys/campaigns.ts';
import { query } from '#lib/platform/db/read.ts';

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

function meanOf(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}

/** Analytics are for information only, so eventually consistent reads are sufficient. */
const eventuallyConsistent = { eventually: true } as const;

/** Returns statistics of all leads, and of the new leads of each day in the range. */
export async function readLeadStats(organizationId: string, range: DayRange | undefined) {
  const [{ total, value, statuses }, days] = await Promise.all([
    readPipelineMetrics(organizationId, undefined, eventuallyConsistent),
    range && readLeadDays(organizationId, range),
  ]);

  return {
    totalLeads: total,
    newLeads: statuses.NEW,
    qualifiedLeads: statuses.QUALIFIED,
    contactedLeads: statuses.CONTACTED,
    convertedLeads: statuses.CONVERTED,
    lostLeads: statuses.LOST,
    conversionRate: percentOf(statuses.CONVERTED, total),
    averageValue: meanOf(value, total),
    totalValue: value,
    days: days && [...days].map(presentDay),
  };
}

function presentDay([date, { total, converted, convertedValue }]: readonly [string, FacetMetrics]) {
  return { date, leads: total, converted, valueCents: convertedValue };
}

function presentFacet({ total, value, converted }: FacetMetrics) {
  return {
    conversionRate: percentOf(converted, total),
    averageValue: meanOf(value, total),
    totalValue: value,
  };
}

/** Returns statistics per source, sorted by number of leads, most first. */
export async function readSourceAnalytics(organizationId: string) {
  const metrics = await readFacetMetrics(organizationId, 'source', undefined, eventuallyConsistent);

  return [...metrics]
    .map(([source, ofSource]) => ({
      source,
      count: ofSource.total,
      ...presentFacet(ofSource),
    }))
    .sort((one, other) => other.count - one.count || one.source.localeCompare(other.source));
}

type CampaignLeads = { readonly id: string; readonly utmCampaign?: string };
type CampaignName = CampaignLeads & { readonly name: string };

const none: FacetMetrics = { total: 0, value: 0, converted: 0, convertedValue: 0 };

/** Adds up the leads from a campaign's conversations and the leads with its `utmCampaign`. */
function metricsOfCampaign(
  metrics: ReadonlyMap<string, FacetMetrics>,
  { id, utmCampaign }: CampaignLeads,
): FacetMetrics {
  const own = metrics.get(campaignFacet.byId(id)) ?? none;
  const named = (utmCampaign && metrics.get(campaignFacet.byUtm(utmCampaign))) || none;

  return {
    total: own.total + named.total,
    value: own.value + named.value,
    converted: own.converted + named.converted,
    convertedValue: own.convertedValue + named.convertedValue,
  };
}

/** Returns the number of leads and the conversion rate, in percent, of each given campaign. */
export async function readCampaignLeads(
  organizationId: string,
  campaigns: readonly CampaignLeads[],
) {
  const values = campaigns.flatMap(({ id, utmCampaign }) => [
    campaignFacet.byId(id),
    ...(utmCampaign ? [campaignFacet.byUtm(utmCampaign)] : []),
  ]);
  const found = await Promise.all(
    [...new Set(values)].map((value) => readFacetMetrics(organizationId, 'campaign', value)),
  );
  const metrics = new Map(found.flatMap((ofValue) => [...ofValue]));

  return campaigns.map((campaign) => {
    const { total, converted } = metricsOfCampaign(metrics, campaign);

    return { leadCount: total, conversionRate: percentOf(converted, total) };
  });
}

/** Returns statistics per campaign, for leads from its conversations and with its `utmCampaign`. */
export async function readCampaignAnalytics(organizationId: string) {
  const [campaigns, metrics] = await Promise.all([
    query<CampaignName>(campaignRanges.campaigns(organizationId), {
      newestFirst: true,
      ...eventuallyConsistent,
    }),
    readFacetMetrics(organizationId, 'campaign', undefined, eventuallyConsistent),
  ]);

  return campaigns.map((campaign) => {
    const ofCampaign = metricsOfCampaign(metrics, campaign);

    return {
      campaignId: campaign.id,
      campaignName: campaign.name,
      leadCount: ofCampaign.total,
      ...presentFacet(ofCampaign),
    };
  });
}

/**
 * Returns the statistics of a pipeline, by default of the default pipeline. The time in a stage is
 * the mean of completed stays of existing leads.
 *
 * @throws 404
 */
export async function readPipelineAnalytics(
  organizationId: string,
  pipelineId: string | undefined,
) {
  const pipeline = await requirePipelineOrDefault(organizationId, pipelineId);
  const metrics = await readPipelineMetrics(
    organizationId,
    pipeline.pipelineId,
    eventuallyConsistent,
  );

  return {
    id: pipeline.pipelineId,
    name: pipeline.name,
    stages: pipeline.stages.map(({ id, name }) => {
      const ofStage = metrics.stages.get(id);

      return {
        id,
        name,
        leadCount: ofStage?.leads ?? 0,
        averageTimeInStage: meanOf((ofStage?.stayMs ?? 0) / 1000, ofStage?.stays ?? 0),
      };
    }),
    overallConversionRate: percentOf(metrics.statuses.CONVERTED, metrics.total),
    averageTimeToConvert: meanOf(metrics.convertMs / 1000, metrics.statuses.CONVERTED),
  };
}
