import { describe, expect, it } from 'vitest';
import { validateStacks } from '#scripts/build/check/template/validate-stacks.ts';
import { validateTemplate } from '#scripts/build/check/template/validate-template.ts';
import type { Template } from '#scripts/build/package/template.ts';

const role = { 'Fn::GetAtt': ['Role', 'Arn'] };
const code = { S3Bucket: 'bucket', S3Key: 'key' };

function problemsWith(resources: Template['Resources']): string[] {
  const template: Template = {
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17' } },
      },
      ...resources,
    },
  };

  // Drops undefined values, like a template that is read from a file.
  return validateTemplate(JSON.parse(JSON.stringify(template)));
}

const functionWith = (changes: Readonly<Record<string, unknown>>): Template['Resources'] => ({
  Function: {
    Type: 'AWS::Lambda::Function',
    Properties: { Code: code, Role: role, Runtime: 'nodejs24.x', ...changes },
  },
});

describe('validateTemplate', () => {
  it('accepts valid resources', () => {
    expect(
      problemsWith(
        functionWith({ Architectures: ['arm64'], LoggingConfig: { LogGroup: '/a' }, Timeout: 20 }),
      ),
    ).toEqual([]);
  });

  it.each([
    ['an unknown property', { Runtim: 'x' }, 'Runtim is not a known property'],
    ['an unknown property inside', { LoggingConfig: { Group: 'a' } }, 'LoggingConfig.Group is not'],
    ['a missing property', { Role: undefined }, 'Role is missing'],
    ['a text in place of a number', { Timeout: 'long' }, 'Timeout must be of type integer'],
    ['a text in place of a list', { Architectures: 'arm64' }, 'Architectures must be a list'],
    ['a value that is not offered', { TracingConfig: { Mode: 'On' } }, 'Mode must be one of'],
    ['a reference to nothing', { Role: { Ref: 'Nobody' } }, 'Ref of Nobody, which does not exist'],
    [
      'a reference to a missing resource',
      { Role: { Ref: 'Nobody' } },
      'Ref of Nobody, which does not exist',
    ],
    ['a missing attribute', { Role: { 'Fn::GetAtt': ['Role', 'Arm'] } }, 'attribute Arm'],
    [
      'a substitution with a missing resource',
      { Description: { 'Fn::Sub': `a \${Gone} b` } },
      'Ref of Gone',
    ],
  ])('rejects %s', (_, changes, problem) => {
    expect(problemsWith(functionWith(changes))).toEqual([expect.stringContaining(problem)]);
  });

  it('rejects circular dependencies', () => {
    const environment = (name: string) => ({
      Environment: { Variables: { OTHER: { 'Fn::Sub': `\${${name}.Arn}` } } },
    });
    const { Function: first } = functionWith(environment('Second'));
    const { Function: second } = functionWith(environment('First'));
    const { Function: beside } = functionWith(environment('First'));

    expect(
      problemsWith({ ...(first && { First: first }), ...(second && { Second: second }) }),
    ).toEqual(['First depends on itself: First → Second → First']);
    expect(problemsWith({ First: first, Beside: beside } as Template['Resources'])).toEqual([
      expect.stringContaining('Second, which does not exist'),
    ]);
  });

  it('rejects an unknown resource type', () => {
    expect(problemsWith({ Thing: { Type: 'AWS::Lambda::Fun' } })).toEqual([
      'Thing: unknown resource type AWS::Lambda::Fun',
    ]);
  });

  it('accepts local variables and AWS pseudo parameters in substitutions', () => {
    const description = { 'Fn::Sub': [`\${own} \${AWS::Region} \${Role.Arn}`, { own: 'x' }] };

    expect(problemsWith(functionWith({ Description: description }))).toEqual([]);
  });
});

describe('validateStacks', () => {
  const inner = (changes: Partial<Template> = {}): Template => ({
    Parameters: { Topic: { Type: 'String' } },
    Outputs: { QueueArn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: 'Topic' } } },
    },
    ...changes,
  });
  const outer = (output: string, Parameters: object = { Topic: 'a' }): Template => ({
    Resources: {
      Queues: {
        Type: 'AWS::CloudFormation::Stack',
        Properties: { TemplateURL: 'https://example.com/template.json', Parameters },
      },
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: { Code: code, Role: { 'Fn::GetAtt': ['Queues', output] } },
      },
    },
  });
  const problemsIn = (template: Template, Queues: Template) => validateStacks(template, { Queues });

  it('accepts parameters and outputs that fit', () => {
    expect(problemsIn(outer('Outputs.QueueArn'), inner())).toEqual([]);
  });

  it.each([
    ['a missing output', outer('Outputs.QueueName'), inner(), 'no attribute Outputs.QueueName'],
    ['a missing value', outer('Outputs.QueueArn', {}), inner(), 'Topic has no value'],
    [
      'an unknown parameter',
      outer('Outputs.QueueArn', { Topic: 'a', Other: 'b' }),
      inner(),
      'there is no parameter Other',
    ],
    [
      'a reference to the outer stack',
      outer('Outputs.QueueArn', {}),
      inner({ Parameters: {} }),
      'Queues: Queue.Properties.QueueName: Ref of Topic, which does not exist',
    ],
    [
      'an output of a missing resource',
      outer('Outputs.QueueArn'),
      inner({ Outputs: { QueueArn: { Value: { 'Fn::GetAtt': ['Nothing', 'Arn'] } } } }),
      'Fn::GetAtt of Nothing, which does not exist',
    ],
  ])('rejects %s', (_, template, nested, problem) => {
    expect(problemsIn(template, nested)).toEqual([expect.stringContaining(problem)]);
  });
});
