import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Meter } from '#scripts/dynamodb-proxy/meter.ts';

export type DataScope = {
  /** Leaves out conversations, posts and the busy pipeline, which take the most time. */
  readonly leadsOnly: boolean;
};

export type DataBench = {
  /** Bypasses the meter. */
  readonly client: DynamoDBDocumentClient;
  readonly meter: Meter;
};
