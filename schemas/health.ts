import { dayOrTime, id, olderName, orNull, text, timestamp } from './common.ts';
import { contract, htmlPage, memberOfPath, openToAll, signedIn } from './contract.ts';
import * as z from './zod.ts';

const systemStatuses = ['healthy', 'degraded', 'unhealthy', 'maintenance'] as const;
export type SystemStatus = (typeof systemStatuses)[number];
const serviceStatuses = ['operational', 'degraded', 'outage', 'maintenance'] as const;
export type ServiceStatus = (typeof serviceStatuses)[number];

export const dependencies = [
  'database',
  'cache',
  'payment',
  'social',
  'ai',
  'email',
  'queue',
  'storage',
  'secrets',
] as const;
export type Dependency = (typeof dependencies)[number];

/** The networks that `social` combines. Each can be queried separately. */
export const networkNames = [
  'facebook',
  'instagram',
  'tiktok',
  'twitter',
  'linkedin',
  'youtube',
] as const;
export type NetworkName = (typeof networkNames)[number];

export const timeRanges = ['5m', '15m', '1h', '4h', '24h'] as const;
export const metricGroups = ['system', 'application', 'database'] as const;
const granularities = ['1m', '5m', '15m', '1h'] as const;
export type Granularity = (typeof granularities)[number];

const systemStatus = z.enum(systemStatuses).meta({ example: 'healthy' });
const serviceStatus = z.enum(serviceStatuses).meta({ example: 'operational' });
const milliseconds = z.number().min(0).meta({ example: 3.2, description: 'In milliseconds.' });
const amount = (example: number) => z.number().min(0).meta({ example });
const measured = z
  .number()
  .min(0)
  .nullable()
  .meta({ id: 'Measurement', example: 50, description: 'Null if it cannot be measured.' });
const maybe = measured.default(null);
const seconds = z.number().min(0).meta({ example: 8_123.4, description: 'In seconds.' });

const overall = {
  status: systemStatus,
  timestamp: timestamp(),
  uptime: seconds,
  version: z.string().meta({ example: '1.0.0' }),
  environment: z.string().meta({ example: 'prod' }),
};

const space = {
  used: maybe,
  total: maybe,
  percentage: maybe,
};
const cpu = {
  usage: maybe,
  load: z.array(z.number().min(0)).meta({ example: [0.4, 0.5, 0.3] }),
};

const common = {
  envelope: 'bare',
  failures: 'health',
} as const;

export const getHealth = contract({
  ...common,
  operationId: 'getHealth',
  path: '/health',
  specified: true,
  role: 'health',
  summary: 'Get the health of the service',
  description:
    'For load balancers and monitoring. Returns 503 while the database is down. The result is at most ten seconds old.',
  access: openToAll,
  countedInHandler: ['healthPublic'],
  response: z.object(overall),
});

export const getDetailedHealth = contract({
  ...common,
  operationId: 'getDetailedHealth',
  path: '/health/detailed',
  specified: true,
  role: 'health',
  summary: 'Get the health of each dependency and of this instance',
  access: signedIn,
  rateLimit: 'health',
  response: z.object({
    ...overall,
    services: z
      .record(
        z.string(),
        z.object({
          status: serviceStatus,
          responseTime: milliseconds,
          lastChecked: timestamp(),
        }),
      )
      .meta({
        example: {
          database: {
            status: 'operational',
            responseTime: 3.2,
            lastChecked: '2026-01-15T09:30:00.000Z',
          },
        },
      }),
    metrics: z.object({ cpu: z.object(cpu), memory: z.object(space), disk: z.object(space) }),
  }),
});

const incident = z.object({
  id: id(),
  service: z.string().meta({ example: 'payment' }),
  title: z.string().meta({ example: 'The payment provider is not responding' }),
  status: z.string().meta({ example: 'investigating' }),
  impact: z.string().meta({ example: 'major' }),
  startedAt: timestamp(),
  updatedAt: timestamp(),
  resolvedAt: orNull(timestamp()),
  updates: z.array(
    z.object({
      at: timestamp(),
      status: z.string().meta({ example: 'investigating' }),
      message: z.string().meta({ example: 'We are looking into it' }),
    }),
  ),
});

const maintenance = z.object({
  id: id(),
  title: z.string().meta({ example: 'Database maintenance' }),
  message: z.string().meta({ example: 'Requests may fail for a few seconds' }),
  status: z.enum(['scheduled', 'in_progress', 'completed']).meta({ example: 'scheduled' }),
  startsAt: timestamp(),
  endsAt: timestamp(),
});

export const getHealthStatus = contract({
  ...common,
  operationId: 'getHealthStatus',
  path: '/health/status',
  specified: true,
  role: 'health',
  summary: 'Get the status of all components, incidents and maintenance',
  access: signedIn,
  rateLimit: 'health',
  response: z.object({
    status: serviceStatus,
    timestamp: timestamp(),
    services: z.object({
      api: z.object({
        status: serviceStatus,
        uptime: seconds,
        requestsPerMinute: amount(120.4),
        averageResponseTime: orNull(milliseconds),
      }),
      database: z.object({
        status: serviceStatus,
        connections: maybe,
        maxConnections: maybe,
        queryTime: milliseconds,
      }),
      cache: z.object({
        status: serviceStatus,
        hitRate: maybe,
        memoryUsage: maybe,
        maxMemory: maybe,
      }),
      external: z
        .record(
          z.string(),
          z.object({ status: serviceStatus, lastCheck: timestamp(), responseTime: milliseconds }),
        )
        .meta({
          example: {
            payment: {
              status: 'operational',
              lastCheck: '2026-01-15T09:30:00.000Z',
              responseTime: 80.5,
            },
          },
        }),
    }),
    incidents: z.array(incident),
    maintenance: z.array(maintenance),
  }),
});

export const getServiceHealth = contract({
  ...common,
  operationId: 'getServiceHealth',
  path: '/health/services/{service_name}',
  specified: true,
  role: 'health',
  summary: 'Get the health of one dependency',
  description:
    '`service_name` is a dependency (`database`, `cache`, `payment`, `social`, `ai`, `email`, `queue`, `storage` or `secrets`) or one of the six networks. `stripe` and `redis` are aliases of `payment` and `cache`.',
  access: signedIn,
  rateLimit: 'health',
  params: z.object({ service_name: text({ min: 1, max: 100, example: 'database' }) }),
  response: z.object({
    service: z.string().meta({ example: 'database' }),
    status: serviceStatus,
    timestamp: timestamp(),
    details: z.object({
      type: z.string().meta({ example: 'Amazon DynamoDB' }),
      version: orNull(z.string().meta({ example: null })),
      connections: z.object({ active: maybe, idle: maybe, max: maybe }),
      performance: z.object({
        responseTime: milliseconds,
        lastChecked: timestamp(),
        averageQueryTime: maybe,
        queriesPerSecond: maybe,
        slowQueries: maybe,
        queuedMessages: maybe,
        hitRate: maybe,
      }),
      replication: z.object({
        enabled: orNull(z.boolean().meta({ example: null })),
        lag: maybe,
      }),
      modelEndsAt: orNull(z.iso.date().meta({ example: '2028-01-14' })).meta({
        description: 'When the AI model shuts down; null if its vendor has announced no date',
      }),
      error: orNull(z.string().meta({ example: null })),
    }),
  }),
  errors: ['SERVICE_NOT_FOUND'],
});

const system = z.object({
  cpu: z.object({ ...cpu, cores: amount(2) }),
  memory: z.object({
    ...space,
    swap: z.object({ used: maybe, total: maybe }),
  }),
  disk: z.object({ ...space, io: z.object({ read: maybe, write: maybe }) }),
  network: z.object({
    bytesIn: maybe,
    bytesOut: maybe,
    packetsIn: maybe,
    packetsOut: maybe,
  }),
});

const application = z.object({
  requests: z.object({
    total: amount(7_200),
    perMinute: amount(120),
    errors: amount(1),
    errorRate: z.number().min(0).max(100).meta({ example: 0.01, description: 'In percent.' }),
  }),
  responseTime: z.object({
    average: orNull(milliseconds),
    p50: orNull(milliseconds),
    p95: orNull(milliseconds),
    p99: orNull(milliseconds),
  }),
  throughput: z.object({ requestsPerSecond: amount(2), bytesPerSecond: amount(9_000) }),
});

const database = z.object({
  connections: z.object({ active: maybe, idle: maybe, max: maybe }),
  queries: z.object({ total: amount(14_000), perSecond: amount(3.9), slow: amount(2) }),
  performance: z.object({
    averageQueryTime: orNull(milliseconds),
    cacheHitRatio: maybe,
    indexUsage: maybe,
  }),
});

export const getMetrics = contract({
  ...common,
  operationId: 'getMetrics',
  path: '/health/metrics',
  specified: true,
  summary: 'Get metrics for this instance and for all requests',
  description:
    '`system` covers the instance that handles the request. `application` and `database` are summed over all instances. `granularity` is the step size. The range starts at the beginning of a step.',
  access: signedIn,
  rateLimit: 'health',
  query: z.object({
    timeRange: z.enum(timeRanges).default('1h').meta({ example: '1h' }),
    metric: z.enum(metricGroups).optional().meta({ example: 'application' }),
    granularity: z.enum(granularities).default('1m').meta({ example: '1m' }),
  }),
  response: z.object({
    timestamp: timestamp(),
    timeRange: z.enum(timeRanges).meta({ example: '1h' }),
    metrics: z.object({
      system: system.optional(),
      application: application.optional(),
      database: database.optional(),
    }),
  }),
});

export const getHistoricalMetrics = contract({
  ...common,
  operationId: 'getHistoricalMetrics',
  path: '/health/metrics/historical',
  specified: true,
  summary: 'Get historical metrics',
  description:
    'Default: the last 24 hours. Returns at most 10,000 points. Metrics are kept for 35 days. `cpu`, `memory` and `disk` are averages over active instances, in percent. `responseTime` is the average in milliseconds.',
  access: signedIn,
  rateLimit: 'health',
  query: z.object({
    from: dayOrTime('start').optional(),
    to: dayOrTime('end').optional(),
    start: olderName(dayOrTime('start'), 'from'),
    end: olderName(dayOrTime('end'), 'to'),
    granularity: z.enum(granularities).default('1h').meta({ example: '1h' }),
  }),
  response: z.object({
    start: timestamp(),
    end: timestamp(),
    granularity: z.enum(granularities).meta({ example: '1h' }),
    data: z.array(
      z.object({
        timestamp: timestamp(),
        cpu: maybe,
        memory: maybe,
        disk: maybe,
        requests: z.int().min(0).meta({ example: 120 }),
        responseTime: orNull(milliseconds),
      }),
    ),
  }),
});

export const getDiagnostics = contract({
  ...common,
  operationId: 'getDiagnostics',
  path: '/health/diagnostics',
  specified: true,
  role: 'health',
  summary: 'Get diagnostics of the service environment',
  access: signedIn,
  rateLimit: 'health',
  response: z.object({
    timestamp: timestamp(),
    diagnostics: z.object({
      system: z.object({
        os: z.string().meta({ example: 'Linux' }),
        version: z.string().meta({ example: '#1 SMP' }),
        kernel: z.string().meta({ example: '6.1.0' }),
        architecture: z.string().meta({ example: 'arm64' }),
      }),
      runtime: z.object({
        node: z.string().meta({ example: 'v24.0.0' }),
        v8: z.string().meta({ example: '13.6.0' }),
        platform: z.string().meta({ example: 'linux' }),
        arch: z.string().meta({ example: 'arm64' }),
      }),
      application: z.object({
        name: z.string().meta({ example: 'social-leads' }),
        version: overall.version,
        environment: overall.environment,
        uptime: seconds,
      }),
      dependencies: z
        .object({ database: z.string(), redis: z.string(), stripe: z.string() })
        .catchall(z.string())
        .meta({
          example: {
            database: 'Amazon DynamoDB: operational, 3 ms',
            redis: 'None: each instance caches in memory',
            stripe: 'Stripe: operational, 80 ms',
          },
        }),
    }),
  }),
});

export const testConnectivity = contract({
  ...common,
  operationId: 'testConnectivity',
  method: 'POST',
  path: '/health/connectivity-test',
  specified: true,
  role: 'health',
  summary: 'Test connectivity to dependencies',
  description:
    'Accepts the same service names as `GET /health/services/{service_name}`. Unknown names are reported as failures.',
  access: signedIn,
  rateLimit: 'health',
  idempotent: false,
  body: z.object({
    services: z
      .array(text({ min: 1, max: 100, example: 'database' }))
      .min(1)
      .max(20)
      .meta({ example: ['database', 'payment'] }),
    timeout: z.int().min(1).max(10_000).nullish().meta({
      example: 2_000,
      description: 'Timeout per service, in milliseconds. Default: 2000.',
    }),
  }),
  response: z.object({
    timestamp: timestamp(),
    results: z.array(
      z.object({
        service: z.string().meta({ example: 'database' }),
        status: z.enum(['success', 'failure']).meta({ example: 'success' }),
        responseTime: milliseconds,
        error: orNull(z.string().meta({ example: null })),
      }),
    ),
    summary: z.object({
      total: amount(2),
      successful: amount(2),
      failed: amount(0),
      averageResponseTime: milliseconds,
    }),
  }),
});

const alert = z.object({
  type: z.string().meta({ example: 'TOKEN_EXPIRING' }),
  severity: z.enum(['info', 'warning', 'critical']).meta({ example: 'warning' }),
  message: z.string().meta({ example: 'The token of the FACEBOOK account Engines expires soon' }),
});

export const getOrganizationHealth = contract({
  ...common,
  operationId: 'getOrganizationHealth',
  path: '/health/organization/{organization_id}',
  specified: true,
  usesPlans: true,
  summary: 'Get the health of an organization',
  access: memberOfPath('VIEWER'),
  rateLimit: 'health',
  response: z.object({
    organizationId: id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b'),
    status: systemStatus,
    timestamp: timestamp(),
    health: z.object({
      accounts: z.object({
        total: amount(3),
        active: amount(2),
        inactive: amount(1),
        issues: amount(1),
      }),
      integrations: z.object({
        social: z.object({ connected: amount(3), healthy: amount(2), issues: amount(1) }),
        billing: z.object({
          status: z.string().meta({ example: 'active' }),
          paymentMethod: z.string().meta({ example: 'configured' }),
          subscription: z.string().meta({ example: 'active' }),
        }),
      }),
      usage: z.object({
        apiCalls: z.object({
          last24h: amount(1_240),
          limit: maybe,
          percentage: maybe,
        }),
        storage: z.object({ used: maybe, limit: maybe, percentage: maybe }),
      }),
      alerts: z.array(alert),
      recommendations: z.array(
        z.object({
          type: z.string().meta({ example: 'RECONNECT_ACCOUNT' }),
          message: z.string().meta({ example: 'Reconnect the FACEBOOK account Engines' }),
          priority: z.enum(['low', 'medium', 'high']).meta({ example: 'high' }),
        }),
      ),
    }),
  }),
});

export const getScrapedMetrics = contract({
  ...common,
  operationId: 'getScrapedMetrics',
  path: '/health/metrics/{scraper_format}',
  specified: true,
  summary: 'Get metrics in Prometheus format',
  description:
    'The only format is `prometheus`. Counters are totals over all instances. Gauges that begin with `social_leads_` describe the work of the whole service, and the organization of the API key or the session.',
  role: 'health',
  access: signedIn,
  rateLimit: 'health',
  envelope: 'raw',
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  params: z.object({ scraper_format: text({ min: 1, max: 100, example: 'prometheus' }) }),
  response: z.object({}).meta({
    description: 'The metrics.',
    example: 'http_requests_total{method="GET",route="/health",status="200"} 12',
  }),
  errors: ['FORMAT_NOT_FOUND'],
});

export const getStatusPage = contract({
  operationId: 'getStatusPage',
  area: 'health',
  path: '/status',
  role: 'health',
  summary: 'View the status page',
  access: openToAll,
  countedInHandler: ['healthPublic'],
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
  otherResponses: [htmlPage(503, 'The database is down. The page says so.')],
});
