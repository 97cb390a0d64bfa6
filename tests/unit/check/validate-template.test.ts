import { describe, expect, it } from 'vitest';
import { validateTemplate } from '#scripts/check/template/validate-template.ts';
import type { Template } from '#scripts/package/template.ts';

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

  // As a template is read from a file: what is undefined is not there.
  return validateTemplate(JSON.parse(JSON.stringify(template)));
}

const functionWith = (changes: Readonly<Record<string, unknown>>): Template['Resources'] => ({
  Function: {
    Type: 'AWS::Lambda::Function',
    Properties: { Code: code, Role: role, Runtime: 'nodejs24.x', ...changes },
  },
});

describe('a template', () => {
  it('passes where every resource is as AWS describes it', () => {
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
      'an attribute that is not there',
      { Role: { 'Fn::GetAtt': ['Role', 'Arm'] } },
      'attribute Arm',
    ],
    ['a text that names nothing', { Description: { 'Fn::Sub': `a \${Gone} b` } }, 'Ref of Gone'],
  ])('is refused for %s', (_, changes, problem) => {
    expect(problemsWith(functionWith(changes))).toEqual([expect.stringContaining(problem)]);
  });

  it('is refused where resources wait for each other', () => {
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

  it('is refused for a type of resource that does not exist', () => {
    expect(problemsWith({ Thing: { Type: 'AWS::Lambda::Fun' } })).toEqual([
      'Thing: unknown resource type AWS::Lambda::Fun',
    ]);
  });

  it('takes names that a text defines for itself, and those of AWS', () => {
    const description = { 'Fn::Sub': [`\${own} \${AWS::Region} \${Role.Arn}`, { own: 'x' }] };

    expect(problemsWith(functionWith({ Description: description }))).toEqual([]);
  });
});
