import { invalid, malformed, unsupported } from './table-error.ts';

export type Parameters = Readonly<Record<string, unknown>>;

type Kind = 'string' | 'boolean' | 'number' | 'object' | 'array';

const kinds: Readonly<Record<string, Kind>> = {
  AttributeDefinitions: 'array',
  BillingMode: 'string',
  ClientRequestToken: 'string',
  ConditionCheck: 'object',
  ConditionExpression: 'string',
  ConsistentRead: 'boolean',
  Delete: 'object',
  DeleteRequest: 'object',
  ExclusiveStartKey: 'object',
  ExpressionAttributeNames: 'object',
  ExpressionAttributeValues: 'object',
  FilterExpression: 'string',
  GlobalSecondaryIndexes: 'array',
  IndexName: 'string',
  Item: 'object',
  Key: 'object',
  KeyConditionExpression: 'string',
  KeySchema: 'array',
  Keys: 'array',
  Limit: 'number',
  ProjectionExpression: 'string',
  Put: 'object',
  PutRequest: 'object',
  RequestItems: 'object',
  ReturnConsumedCapacity: 'string',
  ReturnValues: 'string',
  ReturnValuesOnConditionCheckFailure: 'string',
  ScanIndexForward: 'boolean',
  Select: 'string',
  TableName: 'string',
  TimeToLiveSpecification: 'object',
  TransactItems: 'array',
  Update: 'object',
  UpdateExpression: 'string',
};

const conditional = [
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];
const single = [...conditional, 'ReturnValues', 'ReturnConsumedCapacity'];
const page = [
  'ConsistentRead',
  'ExclusiveStartKey',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'FilterExpression',
  'Limit',
  'ProjectionExpression',
  'ReturnConsumedCapacity',
  'Select',
];

/** The parameters of each operation and of its parts. Required ones come first. */
const parameters = {
  CreateTable: [
    ['TableName', 'KeySchema', 'AttributeDefinitions', 'BillingMode'],
    ['GlobalSecondaryIndexes'],
  ],
  DeleteTable: [['TableName'], []],
  DescribeTable: [['TableName'], []],
  ListTables: [[], []],
  UpdateTimeToLive: [['TableName', 'TimeToLiveSpecification'], []],
  DescribeTimeToLive: [['TableName'], []],
  GetItem: [
    ['TableName', 'Key'],
    [
      'ConsistentRead',
      'ExpressionAttributeNames',
      'ProjectionExpression',
      'ReturnConsumedCapacity',
    ],
  ],
  PutItem: [['TableName', 'Item'], single],
  UpdateItem: [
    ['TableName', 'Key'],
    ['UpdateExpression', ...single],
  ],
  DeleteItem: [['TableName', 'Key'], single],
  Query: [
    ['TableName', 'KeyConditionExpression'],
    ['IndexName', 'ScanIndexForward', ...page],
  ],
  Scan: [['TableName'], page],
  BatchGetItem: [['RequestItems'], ['ReturnConsumedCapacity']],
  'keys of a BatchGetItem': [
    ['Keys'],
    ['ConsistentRead', 'ExpressionAttributeNames', 'ProjectionExpression'],
  ],
  BatchWriteItem: [['RequestItems'], ['ReturnConsumedCapacity']],
  'entry of a BatchWriteItem': [[], ['PutRequest', 'DeleteRequest']],
  PutRequest: [['Item'], []],
  DeleteRequest: [['Key'], []],
  TransactWriteItems: [['TransactItems'], ['ClientRequestToken', 'ReturnConsumedCapacity']],
  'entry of a TransactWriteItems': [[], ['ConditionCheck', 'Put', 'Update', 'Delete']],
  ConditionCheck: [['TableName', 'Key', 'ConditionExpression'], conditional],
  Put: [['TableName', 'Item'], conditional],
  Update: [['TableName', 'Key', 'UpdateExpression'], conditional],
  Delete: [['TableName', 'Key'], conditional],
} as const satisfies Readonly<Record<string, readonly [readonly string[], readonly string[]]>>;

export type Part = keyof typeof parameters;

/** The parameter values that the table supports. */
const supported: Readonly<Record<string, readonly unknown[]>> = {
  BillingMode: ['PAY_PER_REQUEST'],
  ReturnConsumedCapacity: ['NONE', 'TOTAL'],
  ReturnValues: ['NONE', 'ALL_NEW'],
  ReturnValuesOnConditionCheckFailure: ['NONE', 'ALL_OLD'],
  Select: ['COUNT'],
};

/** Throws if an operation, or a part of it, has parameters that the table does not support. */
export function requireParameters(part: Part, given: unknown): asserts given is Parameters {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw malformed(`The ${part} must be an object`);
  }
  const [needed, optional]: readonly (readonly string[])[] = parameters[part];
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) {
      if (!needed?.includes(name) && !optional?.includes(name)) {
        throw unsupported(`the parameter ${name} of ${part}`);
      }
      requireKind(name, value);
    }
  }
  const missing = needed?.find((name) => (given as Parameters)[name] === undefined);
  if (missing !== undefined) {
    throw invalid(
      `1 validation error detected: Value null at '${missing.charAt(0).toLowerCase()}${missing.slice(1)}' failed to satisfy constraint: Member must not be null`,
    );
  }
}

function requireKind(name: string, value: unknown): void {
  const kind = Array.isArray(value) ? 'array' : typeof value;
  if (value === null || kind !== kinds[name]) {
    throw malformed(`${name} has the wrong type`);
  }
  if (supported[name] && !supported[name].includes(value)) {
    throw unsupported(`the value ${value} of ${name}`);
  }
}
