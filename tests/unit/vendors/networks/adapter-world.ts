import { afterAll, afterEach } from 'vitest';
import type { Credentials, Headers } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';
import { networkAddresses } from '#scripts/dev/stack/local-environment.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';
import { type SandboxClient, type SentEvent, sandboxClient } from '#scripts/sandbox/client.ts';
import { startSandbox } from '#scripts/sandbox/sandbox.ts';

/** Long enough for an answer of the sandbox, short enough to wait for one that never comes. */
const networkTimeoutMs = '800';

/** One network signs with a secret of its own, as some do; the others with the app's. */
const secret = localSecret({ INSTAGRAM_WEBHOOK_SECRET: 'sandbox-instagram-webhooks' });

let moved = 0;
const running = await startSandbox({
  port: 0,
  secrets: { [String(process.env.SECRET_ID)]: secret },
  clock: () => new Date(Date.now() + moved),
});
// Before the adapters are loaded, whose clients are made then: tests import them after this file.
Object.assign(process.env, networkAddresses(running.url), {
  SECRETS_MANAGER_ENDPOINT: running.url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  NETWORK_TIMEOUT_MS: networkTimeoutMs,
});

/** The sandbox of the test file, empty again after each test. */
export const sandbox: SandboxClient = sandboxClient(running.url);

afterEach(async () => {
  moved = 0;
  await sandbox.reset();
});
afterAll(running.close);

/** Moves the sandbox's clock on. */
export function pass(ms: number): void {
  moved += ms;
}

/** An account that the network knows, and a token for it. */
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

/** The calls that the network got, as `METHOD path`. */
export async function callsOf(platform: Platform): Promise<readonly string[]> {
  const requests = await sandbox.requests({ service: platform.toLowerCase() });

  return requests.map(({ method, path }) => `${method} ${path}`);
}

/** What an adapter's call failed with; an error where it did not fail. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('The call did not fail');
    },
    (failure: unknown) => failure,
  );
}

/** A delivery as the service gets it. */
export function received({ delivery }: SentEvent): {
  readonly rawBody: Buffer;
  readonly headers: Headers;
} {
  if (!delivery) {
    throw new Error('The network sent nothing');
  }

  return { rawBody: Buffer.from(delivery.body), headers: delivery.headers };
}
