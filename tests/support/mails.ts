import { closeCircuits } from '#lib/platform/circuit-breaker.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { type SandboxClient, sandboxClient } from '#scripts/sandbox/client.ts';
import { expectUnwritten } from './log-book.ts';
import { drainWork } from './work.ts';

const client = sandboxClient(String(process.env.SES_ENDPOINT));

const defaultTimeoutMs = process.env.PAYMENT_TIMEOUT_MS ?? '';
const shortTimeoutMs = '1200';

/**
 * Lowers the payment timeout while the provider hangs, unless a test has set it. Clearing the
 * faults also closes the circuit breakers, which would otherwise take half a minute.
 */
export const sandbox: SandboxClient = {
  ...client,
  addFault: (fault) => {
    const hangs = fault.service === 'stripe' && fault.mode.startsWith('hang');
    if (hangs && process.env.PAYMENT_TIMEOUT_MS === defaultTimeoutMs) {
      process.env.PAYMENT_TIMEOUT_MS = shortTimeoutMs;
    }

    return client.addFault(fault);
  },
  clearFaults: async () => {
    await client.clearFaults();
    if (process.env.PAYMENT_TIMEOUT_MS === shortTimeoutMs) {
      process.env.PAYMENT_TIMEOUT_MS = defaultTimeoutMs;
    }
    closeCircuits();
  },
};

type SentMail = Awaited<ReturnType<typeof sandbox.mails>>[number];

/**
 * Processes all queued work and returns the mails sent to an address, newest first. Mails of workers
 * that ran after the mail worker are sent too. Expects that their content was not logged.
 */
export async function mailsTo(email: string): Promise<readonly SentMail[]> {
  await drainWork();
  await drainWork(workerDefinitions.mail.name);
  const mails = await sandbox.mails(email);
  for (const { text } of mails) {
    expectUnwritten(text ?? '');
  }

  return [...mails].sort((one, other) => other.at.localeCompare(one.at));
}

/** Returns the token in the link of a mail. */
export function tokenIn(mail: SentMail | undefined): string {
  const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) {
    throw new Error('There is no mail with a token in it');
  }

  return token;
}
