import { DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTable } from '#scripts/dev/stack/create-table.ts';

describe('createTable', () => {
  const dynamodb = mockClient(DynamoDBClient);

  beforeEach(() => {
    dynamodb.onAnyCommand().resolves({ Table: { TableStatus: 'ACTIVE' } });
  });

  afterEach(() => {
    dynamodb.reset();
  });

  it('succeeds if the client repeated a call whose response was lost', async () => {
    const failure = new Error('TimeToLive is already enabled');
    dynamodb.on(UpdateTimeToLiveCommand).rejects(failure);

    await createTable('http://localhost:1', 'table');

    expect(dynamodb.commandCalls(UpdateTimeToLiveCommand)).toHaveLength(1);
  });

  it('reports other failures', async () => {
    dynamodb.on(UpdateTimeToLiveCommand).rejects(new Error('No such table'));

    await expect(createTable('http://localhost:1', 'table')).rejects.toThrow('No such table');
  });
});
