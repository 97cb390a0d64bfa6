import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import definition from '#lib/platform/db/table-definition.json' with { type: 'json' };

const maxWaitSeconds = 30;

/** The defaults of the local stack. */
const anybody: DynamoDBClientConfig = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/**
 * Creates the service's table at a local endpoint unless it exists. `owner` only matters for a
 * database that separates tables by access key.
 */
export async function createTable(
  endpoint: string,
  tableName: string,
  owner: Pick<DynamoDBClientConfig, 'region' | 'credentials'> = anybody,
): Promise<void> {
  const client = new DynamoDBClient({ ...owner, endpoint });
  try {
    await client.send(new CreateTableCommand(createTableInput(tableName)));
    await waitUntilTableExists({ client, maxWaitTime: maxWaitSeconds }, { TableName: tableName });
    const timeToLive = new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: definition.TimeToLiveSpecification,
    });
    await client.send(timeToLive).catch(ignoreRepetition);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) {
      throw error;
    }
  } finally {
    client.destroy();
  }
}

/** The client repeats a call whose response was lost, and DynamoDB rejects the repetition. */
function ignoreRepetition(failure: unknown): void {
  if (!(failure instanceof Error && failure.message === 'TimeToLive is already enabled')) {
    throw failure;
  }
}

/**
 * Omits settings that need separate calls (TTL, recovery) and deletion protection, which is only an
 * obstacle locally.
 */
export function createTableInput(tableName: string): CreateTableCommandInput {
  const {
    TimeToLiveSpecification: _timeToLive,
    PointInTimeRecoverySpecification: _recovery,
    DeletionProtectionEnabled: _protection,
    ...input
  } = definition;

  return { TableName: tableName, ...input } as CreateTableCommandInput;
}
