import { closeCircuits } from '#lib/platform/circuit-breaker.ts';
import { type SandboxClient, sandboxClient } from '#scripts/sandbox/client.ts';
import { expectUnwritten } from './log-book.ts';
import { drainWork } from './work.ts';

const client = sandboxClient(String(process.env.SES_ENDPOINT));

const patientMs = process.env.PAYMENT_TIMEOUT_MS ?? '';
const hastyMs = '1200';

/**
 * The service gives up the payment provider sooner while that hangs, but where a test has said when.
 * When all faults are over, the service learns of it at once and not after half a minute.
 */
export const sandbox: SandboxClient = {
  ...client,
  addFault: (fault) => {
    const hangs = fault.service === 'stripe' && fault.mode.startsWith('hang');
    if (hangs && process.env.PAYMENT_TIMEOUT_MS === patientMs) {
      process.env.PAYMENT_TIMEOUT_MS = hastyMs;
    }

    return client.addFault(fault);
  },
  clearFaults: async () => {
    await client.clearFaults();
    if (process.env.PAYMENT_TIMEOUT_MS === hastyMs) {
      process.env.PAYMENT_TIMEOUT_MS = patientMs;
    }
    closeCircuits();
  },
};

type SentMail = Awaited<ReturnType<typeof sandbox.mails>>[number];

/**
 * The mails that have gone to an address, the newest first, when all work in the queues is done. None
 * has left anything of itself in the log.
 */
export async function mailsTo(email: string): Promise<readonly SentMail[]> {
  await drainWork();
  const mails = await sandbox.mails(email);
  for (const { text } of mails) {
    expectUnwritten(text ?? '');
  }

  return [...mails].sort((one, other) => other.at.localeCompare(one.at));
}

/** The token in the link of a mail. */
export function tokenIn(mail: SentMail | undefined): string {
  const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) {
    throw new Error('There is no mail with a token in it');
  }

  return token;
}
