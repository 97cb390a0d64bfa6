import { runsAll } from './depth.ts';

/**
 * How long tests wait for another process or a socket. Only a test that hangs reaches this limit,
 * however busy the machine is. It is the default of `expect.poll`.
 */
export const patiently = { timeout: 240_000, interval: 100 } as const;

/**
 * Time limits of the service's calls that only end what hangs. On a busy machine, a call to another
 * process can take seconds. Tests of the limits set their own.
 */
export const patientLimits = {
  TABLE_TIMEOUT_MS: '120000',
  QUEUE_TIMEOUT_MS: '60000',
  MAIL_TIMEOUT_MS: '60000',
  PAYMENT_TIMEOUT_MS: '30000',
  NETWORK_TIMEOUT_MS: '30000',
} as const;

/** How soon live updates arrive. Only a full run expects it, on a machine that does nothing else. */
export const deliveryLimitMs = runsAll ? 2_000 : patiently.timeout;
