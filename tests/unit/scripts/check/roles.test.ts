import { describe, expect, it } from 'vitest';
import { calledActions, compareRoles } from '#scripts/build/check/roles.ts';

const commands = 'node_modules/@aws-sdk/client-sqs/dist-es/commands';

function problemsWith(role: string, allowed: readonly string[], called: readonly string[]) {
  const document = { Statement: [{ Effect: 'Allow', Action: allowed, Resource: 'arn:a' }] };
  const template = {
    Resources: {
      [role]: {
        Type: 'AWS::IAM::Role',
        Properties: { Policies: [{ PolicyDocument: document }] },
      },
    },
  };

  return compareRoles([{ name: 'read', role, actions: new Set(called) }], template);
}

describe('calledActions', () => {
  it('finds the commands of AWS clients in a bundle', () => {
    expect(
      calledActions(
        {
          [`${commands}/SendMessageCommand.js`]: 900,
          'node_modules/@aws-sdk/client-dynamodb/dist-es/commands/QueryCommand.js': 800,
          'node_modules/@aws-sdk/client-dynamodb/dist-es/commands/ScanCommand.js': 700,
        },
        '',
      ),
    ).toEqual(['sqs:SendMessage', 'dynamodb:Query']);
  });

  it('finds the kinds of writes that a bundle plans', () => {
    expect(calledActions({}, 'return{kind:"create",key:e}')).toEqual(['dynamodb:PutItem']);
    expect(calledActions({}, '{kind:"change"}{kind:"remove"}{kind:"ensure"}')).toEqual([
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
      'dynamodb:ConditionCheckItem',
    ]);
    expect(calledActions({}, 'if(e.kind==="create")')).toEqual([]);
  });
});

describe('compareRoles', () => {
  it('accepts a role that allows exactly what its functions call', () => {
    expect(
      problemsWith('ApiRole', ['sqs:SendMessage', 'logs:PutLogEvents'], ['sqs:SendMessage']),
    ).toEqual([]);
  });

  it('reports a call that the role does not allow', () => {
    expect(problemsWith('ApiRole', [], ['sqs:SendMessage'])).toEqual([
      'read calls sqs:SendMessage, which ApiRole does not allow',
    ]);
  });

  it('reports a permission that no function needs', () => {
    expect(problemsWith('ApiRole', ['secretsmanager:GetSecretValue'], [])).toEqual([
      'ApiRole allows secretsmanager:GetSecretValue, which none of its functions calls',
    ]);
  });

  it('rejects creating items in a role that reads', () => {
    expect(
      problemsWith('ReadRole', ['dynamodb:Query'], ['dynamodb:Query', 'dynamodb:PutItem']),
    ).toEqual(['read calls dynamodb:PutItem, which ReadRole does not allow']);
  });
});
