import {
  campaignFacet,
  type FacetMetrics,
  readFacetMetrics,
  readPipelineMetrics,
} from '#lib/features/leads/lead-counters.ts';
import { requirePipelineOrDefault } from '#lib/features/leads/pipelines/pipelines.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

function meanOf(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 100) / 100;
}

/** Analytics only inform people, so eventually consistent reads are sufficient. */
const eventuallyConsistent = { eventually: true } as const;

export async function readLeadStats(organizationId: string) {
  const { total, value, statuses } = await readPipelineMetrics(
    organizationId,
    undefined,
    eventuallyConsistent,
  );

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
  };
}

function presentFigures({ total, value, converted }: FacetMetrics) {
  return {
    conversionRate: percentOf(converted, total),
    averageValue: meanOf(value, total),
    totalValue: value,
  };
}

/** Returns statistics per source, sorted by number of leads, most first. */
export async function readSourceAnalytics(organizationId: string) {
  const figures = await readFacetMetrics(organizationId, 'source', undefined, eventuallyConsistent);

  return [...figures]
    .map(([source, ofSource]) => ({
      source,
      count: ofSource.total,
      ...presentFigures(ofSource),
    }))
    .sort((one, other) => other.count - one.count || one.source.localeCompare(other.source));
}

type CampaignLeads = { readonly id: string; readonly utmCampaign?: string };
type CampaignName = CampaignLeads & { readonly name: string };

const none: FacetMetrics = { total: 0, value: 0, converted: 0, convertedValue: 0 };

/** Adds up the leads from a campaign's conversations and those with its `utmCampaign`. */
function figuresOfCampaign(
  figures: ReadonlyMap<string, FacetMetrics>,
  { id, utmCampaign }: CampaignLeads,
): FacetMetrics {
  const own = figures.get(campaignFacet.byId(id)) ?? none;
  const named = (utmCampaign && figures.get(campaignFacet.byUtm(utmCampaign))) || none;

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
  const figures = new Map(found.flatMap((ofValue) => [...ofValue]));

  return campaigns.map((campaign) => {
    const { total, converted } = figuresOfCampaign(figures, campaign);

    return { leadCount: total, conversionRate: percentOf(converted, total) };
  });
}

/** Returns statistics per campaign, for leads from its conversations and with its `utmCampaign`. */
export async function readCampaignAnalytics(organizationId: string) {
  const [campaigns, figures] = await Promise.all([
    query<CampaignName>(ranges.campaigns(organizationId), {
      newestFirst: true,
      ...eventuallyConsistent,
    }),
    readFacetMetrics(organizationId, 'campaign', undefined, eventuallyConsistent),
  ]);

  return campaigns.map((campaign) => {
    const ofCampaign = figuresOfCampaign(figures, campaign);

    return {
      campaignId: campaign.id,
      campaignName: campaign.name,
      leadCount: ofCampaign.total,
      ...presentFigures(ofCampaign),
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
  const figures = await readPipelineMetrics(
    organizationId,
    pipeline.pipelineId,
    eventuallyConsistent,
  );

  return {
    id: pipeline.pipelineId,
    name: pipeline.name,
    stages: pipeline.stages.map(({ id, name }) => {
      const ofStage = figures.stages.get(id);

      return {
        id,
        name,
        leadCount: ofStage?.leads ?? 0,
        averageTimeInStage: meanOf((ofStage?.stayMs ?? 0) / 1000, ofStage?.stays ?? 0),
      };
    }),
    overallConversionRate: percentOf(figures.statuses.CONVERTED, figures.total),
    averageTimeToConvert: meanOf(figures.convertMs / 1000, figures.statuses.CONVERTED),
  };
}
