import { afterEach } from 'vitest';
import type { Credentials, Headers } from '#lib/vendors/networks/network.ts';
import { type SandboxClient, type SentEvent, sandboxClient } from '#packages/sandbox/src/client.ts';
import { startSandbox } from '#packages/sandbox/src/sandbox.ts';
import type { Platform } from '#schemas/platforms.ts';
import { networkAddresses } from '#scripts/dev/stack/local-environment.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { useFakeSecrets } from '#tests/support/fake-secrets.ts';

/** Long enough for a sandbox response, short enough for tests that wait for a timeout. */
const networkTimeoutMs = '800';

/** Instagram signs with its own webhook secret. The other networks use the app secret. */
const secret = localSecret({ INSTAGRAM_WEBHOOK_SECRET: 'sandbox-instagram-webhooks' });

let moved = 0;
const running = await startSandbox({
  port: 0,
  secrets: { [String(process.env.SECRET_ID)]: secret },
  clock: () => new Date(Date.now() + moved),
});

/** The sandbox of all files in this process. */
export const sandbox: SandboxClient = sandboxClient(running.url);

/** Lets the adapters call the sandbox in the tests of a file. It is reset after each test. */
export function useSandbox(): void {
  Object.assign(process.env, networkAddresses(running.url), {
    NETWORK_TIMEOUT_MS: networkTimeoutMs,
  });
  useFakeSecrets(secret);
  afterEach(async () => {
    moved = 0;
    await sandbox.reset();
  });
}

/** Advances the sandbox clock. */
export function pass(ms: number): void {
  moved += ms;
}

/** Creates an account at the network and returns its credentials. */
export async function connect(
  platform: Platform,
  userId: string,
  scopes?: readonly string[],
): Promise<Credentials> {
  const { accessToken } = await sandbox
    .network(platform)
    .issueTokens({ userId, ...(scopes ? { scopes: [...scopes] } : {}) });

  return { platformUserId: userId, accessToken };
}

/** Gives an account a token of TikTok's Business app, and returns its credentials in that app. */
export async function connectBusiness(userId: string): Promise<Credentials> {
  const { accessToken, openId } = await sandbox.network('TIKTOK').issueBusinessToken({ userId });

  return { platformUserId: openId, accessToken };
}

/** Returns the calls that the network received, as `METHOD path`. */
export async function callsOf(platform: Platform): Promise<readonly string[]> {
  const requests = await sandbox.requests({ service: platform.toLowerCase() });

  return requests.map(({ method, path }) => `${method} ${path}`);
}

/** Returns the error of the failed call. Throws if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('The call did not fail');
    },
    (failure: unknown) => failure,
  );
}

/** Returns a delivery in the format in which the service receives it. */
export function received({ delivery }: SentEvent): {
  readonly rawBody: Buffer;
  readonly headers: Headers;
} {
  if (!delivery) {
    throw new Error('The network sent nothing');
  }

  return { rawBody: Buffer.from(delivery.body), headers: delivery.headers };
}
