import type { Resource, Resources } from './fold-gateway.ts';

export type NestedTemplate = {
  readonly AWSTemplateFormatVersion: '2010-09-09';
  readonly Parameters: Record<string, { readonly Type: 'String' }>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
  readonly Resources: Resources;
};

/**
 * The nested stacks, and the types of their resources. A stack refers only to the parent stack and
 * to earlier nested stacks. So a queue exists before functions may send to it, and a function
 * exists before anything calls it.
 */
const stacks = {
  Queues: ['AWS::SQS::Queue'],
  Triggers: [
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::EventInvokeConfig',
    'AWS::Scheduler::Schedule',
  ],
  Alarms: ['AWS::CloudWatch::Alarm'],
} as const;

export type StackName = keyof typeof stacks;

export const stackNames = Object.keys(stacks) as readonly StackName[];

/** The file of the template before resources move to nested stacks. It is not deployed. */
export const wholeTemplateName = 'whole-template.json';

/** The file of a nested stack's template. */
export function nestedTemplateName(stack: StackName): string {
  return `cloudformation-template-${stack.toLowerCase()}.json`;
}

/**
 * Moves resources into nested stacks, because a stack may have at most 500. A nested stack gets the
 * values it refers to as parameters, and returns values that others refer to as outputs. Named
 * alarms are not moved, because deployments watch them by name.
 *
 * @param folder the folder of the templates in the deployment bucket.
 */
export function nestStacks(
  resources: Resources,
  folder: string,
): Readonly<Record<StackName, NestedTemplate>> {
  const homes = new Map(
    Object.entries(resources).map(([logicalId, resource]) => [logicalId, homeOf(resource)]),
  );
  const nested = Object.fromEntries(stackNames.map((stack) => [stack, emptyTemplate()])) as Record<
    StackName,
    NestedTemplate
  >;
  const parameters = Object.fromEntries(stackNames.map((stack) => [stack, {}])) as Record<
    StackName,
    Record<string, unknown>
  >;
  const dependencies = new Map<StackName, Set<string>>();

  /** Rewrites a reference for use in another stack. */
  const refer = ({ target, attribute, value }: Reference, home: Home): unknown => {
    const targetHome = homes.get(target);
    if (targetHome === home) {
      return value;
    }
    const name = `${target}${attribute}`;
    if (targetHome !== undefined) {
      nested[targetHome].Outputs[name] = { Value: value };
    }
    const seenFromRest =
      targetHome === undefined ? value : { 'Fn::GetAtt': [targetHome, `Outputs.${name}`] };
    if (home === undefined) {
      return seenFromRest;
    }
    parameters[home][name] = seenFromRest;
    nested[home].Parameters[name] = { Type: 'String' };

    return { Ref: name };
  };

  for (const [logicalId, resource] of Object.entries(resources)) {
    const home = homes.get(logicalId);
    const { DependsOn: dependsOn = [], ...rest } = resource;
    const needed = [dependsOn].flat();
    const inside = needed.filter((name) => homes.get(name) === home);
    const outside = needed
      .filter((name) => homes.get(name) !== home)
      .map((name) => homes.get(name) ?? name);
    const moved = rewrite(rest, (reference) => refer(reference, home)) as Resource;
    if (home === undefined) {
      const all = [...new Set([...inside, ...outside])];
      resources[logicalId] = { ...moved, ...(all.length > 0 ? { DependsOn: all } : {}) };
    } else {
      delete resources[logicalId];
      nested[home].Resources[logicalId] = {
        ...moved,
        ...(inside.length > 0 ? { DependsOn: inside } : {}),
      };
      dependencies.set(home, new Set([...(dependencies.get(home) ?? []), ...outside]));
    }
  }
  for (const stack of stackNames) {
    const needed = [...(dependencies.get(stack) ?? [])];
    resources[stack] = {
      Type: 'AWS::CloudFormation::Stack',
      ...(needed.length > 0 ? { DependsOn: needed } : {}),
      Properties: {
        TemplateURL: {
          'Fn::Sub': `https://\${ServerlessDeploymentBucket}.s3.\${AWS::Region}.\${AWS::URLSuffix}/${folder}/${nestedTemplateName(stack)}`,
        },
        Parameters: parameters[stack],
      },
    };
  }

  return nested;
}

/** The nested stack of a resource, or undefined for the parent stack. */
type Home = StackName | undefined;

function homeOf({ Type: type, Properties: properties }: Resource): Home {
  return properties.AlarmName === undefined
    ? stackNames.find((stack) => (stacks[stack] as readonly string[]).includes(type))
    : undefined;
}

function emptyTemplate(): NestedTemplate {
  return { AWSTemplateFormatVersion: '2010-09-09', Parameters: {}, Outputs: {}, Resources: {} };
}

type Reference = { readonly target: string; readonly attribute: string; readonly value: object };

/** Replaces all references in a part of a template. */
function rewrite(part: unknown, refer: (reference: Reference) => unknown): unknown {
  if (Array.isArray(part)) {
    return part.map((one) => rewrite(one, refer));
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const reference = referenceIn(part);

  return reference
    ? refer(reference)
    : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, rewrite(value, refer)]));
}

function referenceIn(value: object): Reference | undefined {
  const [[key, target] = ['', undefined], ...others] = Object.entries(value);
  if (others.length > 0) {
    return undefined;
  }
  if (key === 'Ref' && !String(target).startsWith('AWS::')) {
    return { target: String(target), attribute: '', value };
  }

  return key === 'Fn::GetAtt' && Array.isArray(target)
    ? { target: target[0], attribute: target.slice(1).join(''), value }
    : undefined;
}
