import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { startServices } from '#scripts/dev/stack/services.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { benchSettings } from '../function-environment.ts';
import type { Load } from './measure-busy-pipeline.ts';
import type { Cost, OperationCosts } from './report-costs.ts';

/** Long enough for calls that are made at once to overlap on a busy machine. */
const meteredLatencyMs = 25;

export type DataFigures = {
  readonly operations: readonly OperationCosts[];
  readonly loads: readonly Load[];
};

/**
 * What each operation costs in an organization of each size, and what a busy pipeline takes of the
 * table, through the handlers. The environment of this process is changed for good: clients are
 * made as lib/ loads.
 */
export async function measureData(sizes: readonly number[]): Promise<DataFigures> {
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
      // Two filters at once look at every lead that passes the rarer one.
      TABLE_TIMEOUT_MS: '60000',
    });
    const { measureOperations } = await import('./measure-operations.ts');
    const { measureBusyPipeline } = await import('./measure-busy-pipeline.ts');
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: dynamodb }));
    const ofSizes = new Map<number, ReadonlyMap<string, Cost>>();
    const bench = { client, meter: proxy.meter, sandboxUrl: sandbox };
    const loads = await measureBusyPipeline(bench);
    for (const size of sizes) {
      ofSizes.set(size, await measureOperations(bench, size));
    }
    await refuseWrongCounters(dynamodb);

    return { operations: byOperation(ofSizes), loads };
  } finally {
    await proxy.close();
    await services.close();
  }
}

/** What is seeded must be what the service would have written. */
async function refuseWrongCounters(endpoint: string): Promise<void> {
  const { recount } = await import('#scripts/operations/recount/recount.ts');
  const differences = await recount({ tableName: benchSettings.TABLE_NAME, endpoint });
  const [first] = differences;
  if (first) {
    throw new Error(`${differences.length} counters are wrong, as ${JSON.stringify(first)}`);
  }
}

function byOperation(
  ofSizes: ReadonlyMap<number, ReadonlyMap<string, Cost>>,
): readonly OperationCosts[] {
  // The largest organization knows all operations, in their order.
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
