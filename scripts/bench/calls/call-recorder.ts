import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { now } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import type { DeployedFunction } from '#scripts/build/generate/deployed-functions.ts';
import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';
import { loadHandler } from './driver.ts';
import { eventOf } from './events.ts';
import { lambdaContext } from './gateway-event.ts';
import type { Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';
import { type TappedTable, tapTable } from './tap-table.ts';

type CallRecorderOptions = {
  readonly recorder: Recorder;
  readonly meter: Meter;
};

/** Creates the records that a call of a function needs, and records the call. */
export function createCallRecorder({ recorder, meter }: CallRecorderOptions) {
  return async (definition: DeployedFunction): Promise<Recording> => {
    const event = await eventOf(definition);
    const handler = await loadHandler(definition.folder, definition.name);
    const atMs = now();
    const call = () => handler(structuredClone(event), lambdaContext());
    let tapped: TappedTable = { result: undefined, answers: [] };
    // Reads the secret and checks the state of services again, like a new process.
    forgetSecrets();
    forgetChecks();
    const { result: metered, exchanges } = await recorder.record(() =>
      meter.measure(async () => {
        tapped = await tapTable(documentClient, call);
      }),
    );
    requireSuccess(definition, tapped.result);

    return {
      function: definition,
      event,
      atMs,
      exchanges,
      tableAnswers: tapped.answers,
      meter: metered,
    };
  };
}

/** Fails on an error response, because its low cost would be misleading. */
function requireSuccess({ name }: DeployedFunction, answer: unknown): void {
  const { statusCode, body, batchItemFailures } = (answer ?? {}) as {
    readonly statusCode?: number;
    readonly body?: string;
    readonly batchItemFailures?: readonly unknown[];
  };
  const isExpected = (statusCode ?? 200) < 400 || name === 'unknown-route';
  if (!isExpected || (batchItemFailures ?? []).length > 0) {
    throw new Error(`the call failed: ${body ?? JSON.stringify(answer)}`);
  }
}
