import { describe, expect, test } from 'vitest';
import { foreignEnvironment, localEnvironment } from '#scripts/dev/stack/local-environment.ts';

const addresses = {
  api: 'http://localhost:3000',
  dynamodb: 'http://localhost:8000',
  aws: 'http://localhost:4566',
  sandbox: 'http://localhost:4000',
};

describe('localEnvironment', () => {
  test('points all endpoints to local services', () => {
    expect(localEnvironment(addresses)).toMatchObject({
      DYNAMODB_ENDPOINT: 'http://localhost:8000',
      SECRETS_MANAGER_ENDPOINT: 'http://localhost:4000',
      SES_ENDPOINT: 'http://localhost:4000',
      STRIPE_API_BASE: 'http://localhost:4000',
      SQS_ENDPOINT: 'http://localhost:4566',
      S3_ENDPOINT: 'http://localhost:4566',
      QUEUE_URL_PREFIX: 'http://localhost:4566/000000000000/social-leads-local-',
      PUBLIC_BASE_URL: 'http://localhost:3000',
    });
  });

  test('uses an address that replaces a local service', () => {
    const environment = localEnvironment(addresses, { STRIPE_API_BASE: 'https://api.stripe.com' });

    expect(environment.STRIPE_API_BASE).toBe('https://api.stripe.com');
  });

  test('contains no secrets and no settings of the stack itself', () => {
    const settings = { STRIPE_SECRET_KEY: 'sk_test_1', JWT_SECRET: 'a', ENCRYPTION_KEY: 'b' };

    expect(Object.keys(localEnvironment(addresses, settings))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(STRIPE_SECRET_KEY|JWT_SECRET|.*PORT)$/)]),
    );
  });

  test('does not pass the AWS credentials of a developer to the emulators', () => {
    const own = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'x', AWS_PROFILE: 'work' };

    const environment = localEnvironment(addresses, own);

    expect(environment).toMatchObject({ AWS_ACCESS_KEY_ID: 'local' });
    expect(environment).not.toHaveProperty('AWS_PROFILE');
  });

  test('passes on the AWS credentials of a developer when a real service is used', () => {
    const own = { AWS_PROFILE: 'work', SQS_ENDPOINT: 'https://sqs.us-east-1.amazonaws.com' };

    const environment = localEnvironment(addresses, own);

    expect(environment).toMatchObject({ AWS_PROFILE: 'work' });
    expect(environment).not.toHaveProperty('AWS_ACCESS_KEY_ID');
  });
});

describe('localEnvironment with another emulator', () => {
  const emulator = { DYNAMODB_ENDPOINT: 'http://localhost:8001' };

  test('uses the local credentials by default', () => {
    expect(localEnvironment(addresses, emulator)).toMatchObject({ AWS_ACCESS_KEY_ID: 'local' });
  });

  test('uses the credentials of a developer when they are set', () => {
    const own = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

    expect(localEnvironment(addresses, { ...emulator, ...own })).toMatchObject(own);
  });
});

describe('foreignEnvironment', () => {
  test('removes only the variables that the stack sets', () => {
    const shell = { PATH: '/bin', LOGIN_LIMIT_PER_ADDRESS: '1', AWS_PROFILE: 'work' };

    expect(foreignEnvironment(shell)).toEqual({ PATH: '/bin' });
  });
});
