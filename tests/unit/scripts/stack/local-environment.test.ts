import { describe, expect, test } from 'vitest';
import { foreignEnvironment, localEnvironment } from '#scripts/dev/stack/local-environment.ts';

const addresses = {
  api: 'http://localhost:3000',
  dynamodb: 'http://localhost:8000',
  aws: 'http://localhost:4566',
  sandbox: 'http://localhost:4000',
};

describe('the local environment', () => {
  test('leads every call of the service to a local part', () => {
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

  test('follows an address that replaces a part', () => {
    const environment = localEnvironment(addresses, { STRIPE_API_BASE: 'https://api.stripe.com' });

    expect(environment.STRIPE_API_BASE).toBe('https://api.stripe.com');
  });

  test('holds no secret and nothing that only the stack needs', () => {
    const settings = { STRIPE_SECRET_KEY: 'sk_test_1', JWT_SECRET: 'a', ENCRYPTION_KEY: 'b' };

    expect(Object.keys(localEnvironment(addresses, settings))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(STRIPE_SECRET_KEY|JWT_SECRET|.*PORT)$/)]),
    );
  });

  test('keeps a developer’s own AWS credentials away from the emulators', () => {
    const own = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'x', AWS_PROFILE: 'work' };

    const environment = localEnvironment(addresses, own);

    expect(environment).toMatchObject({ AWS_ACCESS_KEY_ID: 'local' });
    expect(environment).not.toHaveProperty('AWS_PROFILE');
  });

  test('hands a developer’s own AWS credentials on where a real part is used', () => {
    const own = { AWS_PROFILE: 'work', SQS_ENDPOINT: 'https://sqs.us-east-1.amazonaws.com' };

    const environment = localEnvironment(addresses, own);

    expect(environment).toMatchObject({ AWS_PROFILE: 'work' });
    expect(environment).not.toHaveProperty('AWS_ACCESS_KEY_ID');
  });
});

describe('another emulator in place of a part', () => {
  const emulator = { DYNAMODB_ENDPOINT: 'http://localhost:8001' };

  test('is called with the same credentials as the others', () => {
    expect(localEnvironment(addresses, emulator)).toMatchObject({ AWS_ACCESS_KEY_ID: 'local' });
  });

  test('is called with a developer’s own credentials where these are given', () => {
    const own = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };

    expect(localEnvironment(addresses, { ...emulator, ...own })).toMatchObject(own);
  });
});

describe('the shell’s environment', () => {
  test('loses what only the stack may say, and nothing else', () => {
    const shell = { PATH: '/bin', LOGIN_LIMIT_PER_ADDRESS: '1', AWS_PROFILE: 'work' };

    expect(foreignEnvironment(shell)).toEqual({ PATH: '/bin' });
  });
});
