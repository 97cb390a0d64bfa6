import type { Resources } from './fold-gateway.ts';

/** The file of the nested stack's template. */
export const alarmsTemplateName = 'cloudformation-template-alarms.json';

const alarmType = 'AWS::CloudWatch::Alarm';

export type NestedTemplate = {
  readonly AWSTemplateFormatVersion: '2010-09-09';
  readonly Parameters: Readonly<Record<string, { readonly Type: 'String' }>>;
  readonly Resources: Resources;
};

/**
 * Moves the alarms into a nested stack, because a stack may have 500 resources. What they refer to
 * becomes a parameter of the nested stack. Alarms with a name stay: CloudFormation would create
 * them in the nested stack before it deletes them here, and names are unique.
 *
 * @param templateKey the key of the nested template in the deployment bucket.
 */
export function nestAlarms(resources: Resources, templateKey: string): NestedTemplate {
  const alarms = Object.entries(resources).filter(
    ([, { Type, Properties }]) => Type === alarmType && Properties.AlarmName === undefined,
  );
  const values: Record<string, unknown> = {};
  const nested = Object.fromEntries(
    alarms.map(([logicalId, alarm]) => [logicalId, asParameters(alarm, values)]),
  ) as Resources;
  for (const logicalId of Object.keys(nested)) {
    delete resources[logicalId];
  }
  resources.Alarms = {
    Type: 'AWS::CloudFormation::Stack',
    Properties: {
      TemplateURL: {
        'Fn::Sub': `https://\${ServerlessDeploymentBucket}.s3.\${AWS::Region}.\${AWS::URLSuffix}/${templateKey}`,
      },
      Parameters: values,
    },
  };

  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Parameters: Object.fromEntries(Object.keys(values).map((name) => [name, { Type: 'String' }])),
    Resources: nested,
  };
}

/** Replaces references by parameters, and adds their values to `values`. */
function asParameters(part: unknown, values: Record<string, unknown>): unknown {
  if (Array.isArray(part)) {
    return part.map((one) => asParameters(one, values));
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const name = referenceName(part);
  if (name !== undefined) {
    values[name] = part;

    return { Ref: name };
  }

  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, asParameters(value, values)]),
  );
}

function referenceName(part: object): string | undefined {
  const [[key, target] = ['', undefined], ...others] = Object.entries(part);
  if (others.length > 0) {
    return undefined;
  }
  if (key === 'Ref') {
    return String(target).startsWith('AWS::') ? undefined : String(target);
  }

  return key === 'Fn::GetAtt' && Array.isArray(target) ? target.join('') : undefined;
}
