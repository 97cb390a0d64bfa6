import { dayMs, hourMs, setClock } from '#lib/platform/clock.ts';
import {
  type DeployedFunction,
  deployedFunctions,
} from '#scripts/build/generate/deployed-functions.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { localEnvironment } from '#scripts/dev/stack/local-environment.ts';
import { startServices } from '#scripts/dev/stack/services.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { benchSettings } from '../function-environment.ts';
import type { Golden } from '../golden/golden.ts';
import { recordAsCheapAsKnown } from './record-as-cheap-as-known.ts';
import { createRecorder, noRecorder } from './recorder.ts';
import type { PartRecording, Recording } from './recording.ts';

export type RecordedCalls = {
  readonly recordings: readonly Recording[];
  readonly parts: readonly PartRecording[];
  /** A line for each function whose call failed. */
  readonly problems: readonly string[];
};

/** Long enough for concurrent calls to overlap. The proxy waits for those that are already sent. */
const meteredLatencyMs = 8;

/**
 * Calls each function's handler against the development table, the queues and the sandbox. Retries a call
 * that seems to cost more than the known value. Keeps the exchanges with vendors only for sections
 * that replay them. Permanently changes this process's environment, because lib/ creates its clients
 * on import.
 */
export async function recordCalls(
  known: Golden['functions'] = {},
  { keepsExchanges = true } = {},
): Promise<RecordedCalls> {
  const services = await startServices({
    ports: { dynamodb: 0, aws: 0, sandbox: 0 },
    settings: benchSettings,
  });
  const { dynamodb, aws, sandbox } = services.addresses;
  const proxy = await startDynamoDbProxy({ target: dynamodb, meteredLatencyMs });
  const recorder = keepsExchanges ? createRecorder() : noRecorder;
  setClock(sinceNoon());
  try {
    const addresses = {
      api: 'http://localhost:3000',
      dynamodb: await recorder.addressFor(proxy.endpoint),
      aws: await recorder.addressFor(aws),
      sandbox: await recorder.addressFor(sandbox),
    };
    Object.assign(process.env, localEnvironment(addresses, benchSettings), {
      LOG_LEVEL: 'CRITICAL',
    });
    const { metricsLogger } = await import('#lib/platform/log/logger.ts');
    metricsLogger.setLogLevel('SILENT');
    const { createCallRecorder } = await import('./call-recorder.ts');
    const recordCall = createCallRecorder({ recorder, meter: proxy.meter });

    const { recordParts } = await import('./record-parts.ts');
    const recorded = await recordAll((definition) =>
      recordAsCheapAsKnown(known[definition.name], () => recordCall(definition)),
    );

    return {
      ...recorded,
      parts: await recordParts({ meter: proxy.meter, known }),
    };
  } finally {
    setClock();
    await recorder.close();
    await proxy.close();
    await services.close();
  }
}

/**
 * A clock that starts at the last noon. Otherwise, the cost of reading the last hour's metrics
 * would depend on the time of day, because shortly after midnight they are stored under two days.
 */
function sinceNoon(): () => number {
  const pastNoonMs = (Date.now() + 12 * hourMs) % dayMs;

  return () => Date.now() - pastNoonMs;
}

type RecordCall = (definition: DeployedFunction) => Promise<Recording>;

async function recordAll(recordCall: RecordCall): Promise<Omit<RecordedCalls, 'parts'>> {
  const recordings: Recording[] = [];
  const problems: string[] = [];
  for (const definition of jobsFirst(deployedFunctions(registry))) {
    try {
      recordings.push(await recordCall(definition));
    } catch (failure) {
      problems.push(`${definition.name}: ${(failure as Error).message}`);
    }
  }

  return { recordings, problems };
}

/** Jobs run first, because other functions create work that a job would find. */
function jobsFirst(functions: readonly DeployedFunction[]): readonly DeployedFunction[] {
  const isJob = ({ role }: DeployedFunction): boolean => role === 'job';

  return [...functions.filter(isJob), ...functions.filter((definition) => !isJob(definition))];
}
