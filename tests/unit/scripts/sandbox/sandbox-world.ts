import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { type SandboxClient, sandboxClient } from '#scripts/sandbox/client.ts';
import { startSandbox } from '#scripts/sandbox/sandbox.ts';

export type World = {
  readonly url: string;
  readonly port: number;
  readonly control: SandboxClient;
  readonly stripe: Stripe;
  readonly ses: SESv2Client;
  readonly secrets: SecretsManagerClient;
  readonly close: () => Promise<void>;
  /** Moves the sandbox's clock on. */
  readonly advance: (ms: number) => void;
};

const aws = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
};

/** A sandbox of the test's own, with the real clients on it; it ends with the test. */
export async function startWorld(secrets: Readonly<Record<string, string>> = {}): Promise<World> {
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

/** The real client of the payment provider, which does not try again by itself. */
export function stripeClient(port: number, config: Stripe.StripeConfig = {}): Stripe {
  return new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...config,
  });
}

/** Resolves with what a call was refused with; fails where it was not. */
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
