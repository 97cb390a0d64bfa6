type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
};

/**
 * Takes the place of the SDK's own search for credentials in bundles. Lambda gives them in variables
 * and nowhere else, and the search for single sign-on, profiles and metadata services would be a
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
    throw new Error(
      `The environment variable ${name} is missing: this bundle runs in Lambda alone`,
    );
  }

  return value;
}
