// Runs in a separate process: the service is loaded with the address of two tables
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableInput } from '#scripts/dev/stack/create-table.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess } from '#tests/support/in-process-client.ts';
import { startJudgeIfPossible } from '#tests/support/judge.ts';
import { compareTables } from './both-tables.ts';
import { atTheLimits } from './limits.ts';
import { type RawRequest, rawRequest, TableName } from './requests.ts';
import { loadDataLayer, type Step, serviceSteps } from './service-steps.ts';

const judge = await startJudgeIfPossible();
const tables = compareTables(judge?.endpoint ?? '');
process.env.DYNAMODB_ENDPOINT = 'http://both-tables:1';
process.env.TABLE_NAME = TableName;
callInProcess(tables, process.env.DYNAMODB_ENDPOINT);
const steps = serviceSteps(await loadDataLayer());

let runs = 0;

function perform({ operation, request }: RawRequest): Promise<unknown> {
  return tables.perform(operation, request);
}

/** Repeats requests that have a token. Tokens are remembered longer than a run. */
function repeat({ operation, request }: RawRequest): Step {
  const { ClientRequestToken: token } = request;
  if (token === undefined) {
    return () => perform({ operation, request });
  }

  return async () => {
    const own = { ...request, ClientRequestToken: `${token} ${runs}` };
    await perform({ operation, request: own });
    await perform({ operation, request: own });
  };
}

/** Compares the responses to every step, and all items at the end. */
async function expectSameAnswers(all: readonly Step[]): Promise<void> {
  runs += 1;
  try {
    for (const step of all) {
      await step().catch(() => undefined);
      expect(tables.differences()).toEqual([]);
    }
  } finally {
    const { own, judged } = await tables.clear(TableName);
    expect(own).toEqual(judged);
  }
}

describe.runIf(judge)('the development table returns the same responses as DynamoDB Local', () => {
  beforeAll(async () => {
    await tables.perform('CreateTable', { ...createTableInput(TableName) });
    // The descriptions of tables differ in fields that nobody reads.
    tables.differences();
  });
  afterAll(() => judge?.close());

  it.each<readonly [string, fc.Arbitrary<Step>]>([
    ['requests', rawRequest.map(repeat)],
    ['what the service does', steps],
  ])('for sequences of %s', async (_what, step) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        expectSameAnswers,
      ),
      { numRuns: depth(10, 500), endOnFailure: true },
    );
  });

  it.each(atTheLimits)('at the limits of %s', async (_what, requests) => {
    await expectSameAnswers(requests.map((request) => () => perform(request)));
  });
});
