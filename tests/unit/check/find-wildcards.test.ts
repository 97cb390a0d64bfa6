import { describe, expect, it } from 'vitest';
import { findWildcards } from '#scripts/check/template/find-wildcards.ts';

function wildcardsOf(statement: Readonly<Record<string, unknown>>): string[] {
  const policy = { PolicyDocument: { Statement: [{ Effect: 'Allow', ...statement }] } };
  const template = {
    Resources: { Role: { Type: 'AWS::IAM::Role', Properties: { Policies: [policy] } } },
  };

  return findWildcards(template, 'dev').filter((problem) => problem.startsWith('Role '));
}

describe('a policy', () => {
  it.each([
    ['any action', { Action: '*', Resource: 'arn:a' }],
    ['any action of a service', { Action: ['s3:*'], Resource: 'arn:a' }],
    ['any resource', { Action: 's3:GetObject', Resource: '*' }],
    ['a part of a resource', { Action: 's3:GetObject', Resource: { 'Fn::Sub': `\${Bucket}/*` } }],
    ['a joined resource', { Action: 's3:A', Resource: { 'Fn::Join': ['', ['a', '/*']] } }],
    ['all actions but some', { NotAction: 's3:GetObject', Resource: 'arn:a' }],
    ['all resources but some', { Action: 's3:GetObject', NotResource: 'arn:a' }],
  ])('that allows %s is found', (_, statement) => {
    expect(wildcardsOf(statement)).toHaveLength(1);
  });

  it.each([
    ['names what it allows', { Action: 's3:GetObject', Resource: { 'Fn::GetAtt': ['B', 'Arn'] } }],
    ['denies', { Effect: 'Deny', Action: '*', Resource: '*' }],
  ])('that %s is not', (_, statement) => {
    expect(wildcardsOf(statement)).toEqual([]);
  });

  it('no longer has a wildcard for which a reason still stands: that is told too', () => {
    expect(findWildcards({ Resources: {} }, 'dev')).toContain(
      'EncryptionKey no longer allows kms:*. Remove its reason',
    );
  });
});
