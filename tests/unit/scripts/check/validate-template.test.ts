import { describe, expect, it } from 'vitest';
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
