import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { startServices } from '#scripts/dev/stack/services.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { benchSettings } from '../function-environment.ts';
import type { DataScope } from './data-bench.ts';
import type { Load } from './measure-busy-pipeline.ts';
import type { Cost, OperationCosts } from './report-costs.ts';

/** Long enough for concurrent calls to overlap on a busy machine. */
const meteredLatencyMs = 25;

export type DataMetrics = {
  readonly operations: readonly OperationCosts[];
  readonly loads: readonly Load[];
};

/**
 * Measures each operation's cost in organizations of different sizes, and a busy pipeline's load on
 * the table. Permanently changes this process's environment, because lib/ creates its clients on
 * import.
 */
export async function measureData(
  sizes: readonly number[],
  scope: DataScope,
): Promise<DataMetrics> {
  const services = await startServices({
    ports: { dynamodb: 0, aws: 0, sandbox: 0 },
    settings: benchSettings,
  });
  const { dynamodb, aws, sandbox } = services.addresses;
  const proxy = await startDynamoDbProxy({ target: dynamodb, meteredLatencyMs });
  try {
    const addresses = { api: 'http://localhost:3000', dynamodb: proxy.endpoint, aws, sandbox };
    Object.assign(process.env, localEnvironment(addresses, benchSettings), {
      LOG_LEVEL: 'CRITICAL',
      // A query with two filters reads every lead that matches the rarer one.
      TABLE_TIMEOUT_MS: '60000',
    });
    const { metricsLogger } = await import('#lib/platform/log/logger.ts');
    metricsLogger.setLogLevel('SILENT');
    const { measureOperations } = await import('./measure-operations.ts');
    const { measureBusyPipeline } = await import('./measure-busy-pipeline.ts');
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: dynamodb }));
    const ofSizes = new Map<number, ReadonlyMap<string, Cost>>();
    const bench = { client, meter: proxy.meter };
    const loads = scope.leadsOnly ? [] : await measureBusyPipeline(bench);
    for (const size of sizes) {
      ofSizes.set(size, await measureOperations(bench, size, scope));
      await requireCorrectCounters(dynamodb);
    }

    return { operations: byOperation(ofSizes), loads };
  } finally {
    await proxy.close();
    await services.close();
  }
}

/** Throws unless the seeded counters match what the service would have written. */
async function requireCorrectCounters(endpoint: string): Promise<void> {
  const { recount } = await import('#scripts/operations/recount/recount.ts');
  const differences = await recount({ tableName: benchSettings.TABLE_NAME, endpoint });
  const [first] = differences;
  if (first) {
    throw new Error(
      `${differences.length} counters are wrong, for example ${JSON.stringify(first)}`,
    );
  }
}

function byOperation(
  ofSizes: ReadonlyMap<number, ReadonlyMap<string, Cost>>,
): readonly OperationCosts[] {
  // The largest organization has all operations, so it determines their order.
  const largestFirst = [...ofSizes.values()].toReversed();
  const operations = new Set(largestFirst.flatMap((costs) => [...costs.keys()]));

  return [...operations].map((operation) => ({
    operation,
    costs: new Map(
      [...ofSizes].flatMap(([size, costs]) => {
        const cost = costs.get(operation);

        return cost ? [[size, cost] as const] : [];
      }),
    ),
  }));
}
