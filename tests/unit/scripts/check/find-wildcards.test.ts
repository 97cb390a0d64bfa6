import { describe, expect, it } from 'vitest';
import { findWildcards } from '#scripts/build/check/template/find-wildcards.ts';

function wildcardsOf(statement: Readonly<Record<string, unknown>>): string[] {
  const policy = { PolicyDocument: { Statement: [{ Effect: 'Allow', ...statement }] } };
  const template = {
    Resources: { Role: { Type: 'AWS::IAM::Role', Properties: { Policies: [policy] } } },
  };

  return findWildcards(template, 'dev').filter((problem) => problem.startsWith('Role '));
}

describe('findWildcards', () => {
  it.each([
    ['any action', { Action: '*', Resource: 'arn:a' }],
    ['any action of a service', { Action: ['s3:*'], Resource: 'arn:a' }],
    ['any resource', { Action: 's3:GetObject', Resource: '*' }],
    ['a partial resource', { Action: 's3:GetObject', Resource: { 'Fn::Sub': `\${Bucket}/*` } }],
    ['a joined resource', { Action: 's3:A', Resource: { 'Fn::Join': ['', ['a', '/*']] } }],
    ['all actions except some', { NotAction: 's3:GetObject', Resource: 'arn:a' }],
    ['all resources except some', { Action: 's3:GetObject', NotResource: 'arn:a' }],
  ])('reports a policy that allows %s', (_, statement) => {
    expect(wildcardsOf(statement)).toHaveLength(1);
  });

  it.each([
    ['names what it allows', { Action: 's3:GetObject', Resource: { 'Fn::GetAtt': ['B', 'Arn'] } }],
    ['denies access', { Effect: 'Deny', Action: '*', Resource: '*' }],
  ])('ignores a policy that %s', (_, statement) => {
    expect(wildcardsOf(statement)).toEqual([]);
  });

  it('reports a documented wildcard that no longer exists', () => {
    expect(findWildcards({ Resources: {} }, 'dev')).toContain(
      'EncryptionKey no longer allows kms:*. Remove its reason',
    );
  });
});
