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

const anybody: DynamoDBClientConfig = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/**
 * Creates the service's table at a local endpoint from its one definition; a table that is there
 * stays as it is. Whose it is matters only to a database that tells its callers apart.
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
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: definition.TimeToLiveSpecification,
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) {
      throw error;
    }
  } finally {
    client.destroy();
  }
}

/** Without what belongs to other calls (TTL, recovery) and what would only hinder a local table (protection). */
function createTableInput(tableName: string): CreateTableCommandInput {
  const {
    TimeToLiveSpecification: _timeToLive,
    PointInTimeRecoverySpecification: _recovery,
    DeletionProtectionEnabled: _protection,
    ...input
  } = definition;

  return { TableName: tableName, ...input } as CreateTableCommandInput;
}
