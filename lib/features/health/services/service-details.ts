import { hourMs, now } from '#lib/platform/clock.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import { readMetrics, sumMetrics } from '#lib/platform/metric-store/read-metrics.ts';
import { cacheHitRate, checkServices } from './check-services.ts';
import { findService, type Probed } from './probes.ts';

const types: Readonly<Record<Probed | 'social', string>> = {
  database: 'Amazon DynamoDB',
  cache: 'In-memory, per instance',
  payment: 'Stripe',
  social: 'Six social networks',
  ai: 'OpenAI or a compatible server',
  email: 'Amazon SES',
  queue: 'Amazon SQS',
  storage: 'Amazon S3',
  secrets: 'AWS Secrets Manager',
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  twitter: 'X',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
};

export function typeOf(service: Probed | 'social'): string {
  return types[service];
}

/**
 * Describes one dependency. Connection and replication details are null, because all dependencies
 * are accessed over HTTP.
 *
 * @throws 404 if there is no such service.
 */
export async function describeService(name: string) {
  const service = requireFound(findService(name), 'Service');
  const [{ results }, queries] = await Promise.all([
    checkServices(),
    service === 'database' ? describeQueries() : noQueries,
  ]);
  const { status, responseTime, lastChecked, error, ...findings } = results[service];
  const { queuedMessages = null, modelEndsAt = null } = findings;

  return {
    service: name,
    status,
    details: {
      type: types[service],
      connections: { active: null, idle: null, max: null },
      performance: {
        responseTime,
        lastChecked,
        ...queries,
        queuedMessages,
        hitRate: service === 'cache' ? cacheHitRate() : null,
      },
      replication: { enabled: null, lag: null },
      modelEndsAt,
      error,
    },
  };
}

const noQueries = { averageQueryTime: null, queriesPerSecond: null, slowQueries: null };

/** Covers the last hour, across all instances. */
async function describeQueries() {
  const { queries, queryMs, slowQueries } = sumMetrics(
    await readMetrics('1m', now() - hourMs, now()),
  );

  return {
    averageQueryTime: queries === 0 ? null : queryMs / queries,
    queriesPerSecond: queries / (hourMs / 1_000),
    slowQueries,
  };
}
