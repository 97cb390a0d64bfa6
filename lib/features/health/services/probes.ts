import { config } from '#lib/platform/config.ts';
import { systemRanges } from '#lib/platform/db/keys/system.ts';
import { query } from '#lib/platform/db/read.ts';
import { countWaitingMessages } from '#lib/platform/queue/queue.ts';
import { getSecrets, probeSecrets } from '#lib/platform/secrets/secrets.ts';
import { type Dependency, type NetworkName, networkNames } from '#schemas/health.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { findLinkedinWarning } from './linkedin-warning.ts';
import { probeAi } from './probe-ai.ts';
import { reach, requireAcceptedKey } from './reach.ts';

/** A dependency that is probed individually. The results of all networks together form `social`. */
export type Probed = Exclude<Dependency, 'social'> | NetworkName;

export type Findings = {
  readonly queuedMessages?: number;
  /** The announced shutdown date of the AI model, if there is one. */
  readonly modelEndsAt?: string | null;
  /** A problem that will interrupt the service unless somebody acts. Reported as degraded. */
  readonly warning?: string | undefined;
};

type Probe = (signal: AbortSignal) => Promise<Findings>;

const { networks } = config;

/** An API call per network. It is rejected without credentials, which still proves availability. */
const networkAddresses: Readonly<Record<NetworkName, () => string>> = {
  facebook: () => `${networks.facebook.apiBase}/${networks.facebook.apiVersion}/me`,
  instagram: () => `${networks.instagram.apiBase}/${networks.instagram.apiVersion}/me`,
  tiktok: () => `${networks.tiktok.apiBase}/v2/user/info/`,
  twitter: () => `${networks.twitter.apiBase}/2/users/me`,
  linkedin: () => `${networks.linkedin.apiBase}/v2/userinfo`,
  youtube: () => `${networks.youtube.apiBase}/youtube/v3/channels?part=id&mine=true`,
};

function reaching(address: () => string): Probe {
  return async (signal) => {
    await reach(address(), signal);

    return {};
  };
}

function aws(service: string, endpoint: () => string | undefined, path = '/'): Probe {
  return reaching(
    () => `${endpoint() ?? `https://${service}.${config.region}.amazonaws.com`}${path}`,
  );
}

async function probePayment(signal: AbortSignal): Promise<Findings> {
  const { stripeSecretKey } = await getSecrets();
  const base = config.stripeApiBase ?? 'https://api.stripe.com';
  const status = await reach(`${base}/v1/balance`, signal, {
    authorization: `Bearer ${stripeSecretKey}`,
  });
  requireAcceptedKey(status);

  return {};
}

async function probeLinkedin(signal: AbortSignal): Promise<Findings> {
  await reach(networkAddresses.linkedin(), signal);

  return { warning: await findLinkedinWarning() };
}

export const probes: Readonly<Record<Probed, Probe>> = {
  database: async () => {
    await query(systemRanges.openIncidents(), { limit: 1 });

    return {};
  },
  // The cache is in this process, so it is available if this code runs.
  cache: async () => ({}),
  payment: probePayment,
  ai: probeAi,
  email: aws('email', () => config.sesEndpoint, '/v2/email/account'),
  queue: async () => ({ queuedMessages: await countWaitingMessages(workerDefinitions.mail) }),
  storage: aws('s3', () => config.s3Endpoint),
  secrets: async () => {
    await probeSecrets();

    return {};
  },
  ...(Object.fromEntries(
    networkNames.map((name) => [name, reaching(networkAddresses[name])]),
  ) as Record<NetworkName, Probe>),
  linkedin: probeLinkedin,
};

export const probed = Object.keys(probes) as readonly Probed[];

const aliases: Readonly<Record<string, Dependency>> = { stripe: 'payment', redis: 'cache' };

/** Returns the dependency with this name or alias, if there is one. */
export function findService(name: string): Probed | 'social' | undefined {
  const known = aliases[name] ?? name;

  return known === 'social' ? known : probed.find((one) => one === known);
}
