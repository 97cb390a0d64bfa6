type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
};

/**
 * Replaces the SDK's credential provider chain in bundles. Lambda provides credentials only in
 * environment variables, and support for single sign-on, profiles and metadata services would be a
 * fifth of each bundle.
 */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => ({
    accessKeyId: variable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable('AWS_SECRET_ACCESS_KEY'),
    sessionToken: variable('AWS_SESSION_TOKEN'),
  });
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`The environment variable ${name} is missing. This bundle only runs in Lambda`);
  }

  return value;
}
