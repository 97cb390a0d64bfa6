import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { type SandboxClient, sandboxClient } from '../src/client.ts';
import { type Platform, platforms } from '../src/platforms.ts';
import { startSandbox } from '../src/sandbox.ts';

export type World = {
  readonly url: string;
  readonly port: number;
  readonly control: SandboxClient;
  readonly stripe: Stripe;
  readonly ses: SESv2Client;
  readonly secrets: SecretsManagerClient;
  readonly close: () => Promise<void>;
  /** Advances the sandbox clock. */
  readonly advance: (ms: number) => void;
};

const aws = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
};

/** Fields of single networks: the number of LinkedIn's app, and TikTok's second app. */
const ownFields: Readonly<Partial<Record<Platform, object>>> = {
  LINKEDIN: { appId: '86400001' },
  TIKTOK: {
    business: {
      clientId: 'sandbox-tiktok-business-app',
      clientSecret: 'sandbox-tiktok-business-secret',
    },
  },
};

/** A secret with an app at each network. */
export const networkApps: Readonly<Record<string, string>> = {
  'social-leads/test': JSON.stringify({
    networks: Object.fromEntries(
      platforms.map((platform) => {
        const name = `sandbox-${platform.toLowerCase()}`;

        return [
          platform,
          {
            clientId: `${name}-app`,
            clientSecret: `${name}-secret`,
            verifyToken: `${name}-verify`,
            appToken: `${name}-app-token`,
            ...ownFields[platform],
          },
        ];
      }),
    ),
  }),
};

/** Starts a sandbox with real vendor clients. It closes when the test finishes. */
export async function startSetup(secrets: Readonly<Record<string, string>> = {}): Promise<World> {
  let moved = 0;
  const sandbox = await startSandbox({
    port: 0,
    secrets,
    clock: () => new Date(Date.now() + moved),
  });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) {
      open = false;
      await sandbox.close();
    }
  };
  onTestFinished(close);

  return {
    url: sandbox.url,
    port: sandbox.port,
    control: sandboxClient(sandbox.url),
    stripe: stripeClient(sandbox.port),
    ses: new SESv2Client({ ...aws, endpoint: sandbox.url }),
    secrets: new SecretsManagerClient({ ...aws, endpoint: sandbox.url }),
    close,
    advance: (ms) => {
      moved += ms;
    },
  };
}

/** The real Stripe client, without automatic retries by default. */
export function stripeClient(
  port: number,
  config: Stripe.StripeConfig = {},
  key = 'sk_test_sandbox',
): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  });
}

/** Returns the error of the failed call. Throws if the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );

  if (typeof outcome !== 'object' || outcome === null) {
    throw new Error('The call was not refused');
  }

  return outcome as Record<string, unknown>;
}
