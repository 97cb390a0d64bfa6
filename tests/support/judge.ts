import type { Settings } from '#scripts/dev/stack/settings.ts';
import { type DynamoDbLocal, minimumJavaVersion, startDynamoDbLocal } from './dynamodb-local.ts';
import { requireJava } from './require-java.ts';

/**
 * True if the tests run with Amazon's DynamoDB Local instead of the development table:
 * `TEST_TABLE=dynamodb-local npm test`.
 */
export const isJudged = process.env.TEST_TABLE === 'dynamodb-local';

/**
 * Starts DynamoDB Local to compare the development table with it. If Java is missing, prints a
 * line. GitHub's workflow has Java, so it fails there.
 */
export async function startJudgeIfPossible(): Promise<DynamoDbLocal | undefined> {
  const missing = await requireJava(minimumJavaVersion).then(() => undefined, toMessage);
  if (missing === undefined || process.env.GITHUB_ACTIONS) {
    return startDynamoDbLocal();
  }
  process.stderr.write(`The development table was not compared with DynamoDB Local. ${missing}\n`);

  return undefined;
}

function toMessage(error: Error): string {
  return error.message;
}

export type Judge = { readonly settings: Settings; readonly close: () => Promise<void> };

/** Starts DynamoDB Local if the tests need it, and returns the settings that select it. */
export async function startJudge(): Promise<Judge> {
  if (!isJudged) {
    return { settings: {}, close: async () => {} };
  }
  const { endpoint, close } = await startDynamoDbLocal();

  return { settings: { DYNAMODB_ENDPOINT: endpoint }, close };
}
