import { documentClient } from '#lib/db/client.ts';
import { forgetChecks } from '#lib/health/check-services.ts';
import { forgetSecrets } from '#lib/secrets/secrets.ts';
import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';
import type { DeployedFunction } from '#scripts/generate/deployed-functions.ts';
import { aiScenes } from './ai-scenes.ts';
import { authScenes } from './auth-scenes.ts';
import { billingScenes } from './billing-scenes.ts';
import { bioScenes } from './bio-scenes.ts';
import { campaignScenes } from './campaign-scenes.ts';
import { contentScenes } from './content-scenes.ts';
import { conversationScenes } from './conversation-scenes.ts';
import { lambdaContext } from './gateway-event.ts';
import { healthScenes } from './health-scenes.ts';
import { leadScenes } from './lead-scenes.ts';
import { organizationScenes } from './organization-scenes.ts';
import { otherScenes } from './other-scenes.ts';
import type { Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';
import type { Scene } from './scene.ts';
import { socialScenes } from './social-scenes.ts';
import { type TappedTable, tapTable } from './tap-table.ts';
import { webhookScenes } from './webhook-scenes.ts';
import { createWorld, loadHandler } from './world.ts';

const scenes: Readonly<Record<string, Scene>> = {
  ...authScenes,
  ...organizationScenes,
  ...aiScenes,
  ...billingScenes,
  ...leadScenes,
  ...socialScenes,
  ...contentScenes,
  ...healthScenes,
  ...webhookScenes,
  ...conversationScenes,
  ...bioScenes,
  ...campaignScenes,
  ...otherScenes,
};

type CallRecorderOptions = {
  readonly recorder: Recorder;
  readonly meter: Meter;
  readonly sandboxUrl: string;
};

/** Plays the scene of a function, and keeps the call that it is about. */
export function createCallRecorder({ recorder, meter, sandboxUrl }: CallRecorderOptions) {
  const world = createWorld(sandboxUrl);

  return async (definition: DeployedFunction): Promise<Recording> => {
    const scene = scenes[definition.name];
    if (!scene) {
      throw new Error('no call is known: write its scene in scripts/bench/calls');
    }
    const event = await scene(world);
    const handler = await loadHandler(definition.folder, definition.name);
    const call = () => handler(structuredClone(event), lambdaContext());
    let tapped: TappedTable = { result: undefined, answers: [] };
    // As in a new process, the secret is read, and the state of the services is asked for.
    forgetSecrets();
    forgetChecks();
    const { result: metered, exchanges } = await recorder.record(() =>
      meter.measure(async () => {
        tapped = await tapTable(documentClient, call);
      }),
    );
    refuseFailure(definition, tapped.result);

    return {
      function: definition,
      event,
      exchanges,
      tableAnswers: tapped.answers,
      meter: metered,
    };
  };
}

/** A refusal is cheap: its figures would say nothing. */
function refuseFailure({ name }: DeployedFunction, answer: unknown): void {
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
