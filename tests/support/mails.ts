import { onTestFinished } from 'vitest';
import { closeCircuits } from '#lib/platform/circuit-breaker.ts';
import type { SandboxClient } from '#packages/sandbox/src/client.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { platforms } from '#schemas/platforms.ts';
import { sandbox as client, type SentMail } from '#scripts/fixtures/sandbox.ts';
import { expectUnwritten } from './log-book.ts';
import { drainWork } from './work.ts';

const shortTimeoutMs = '700';
const settingOf = (name: string) => process.env[name] ?? '';
/** The variables with the timeouts of calls, by service. */
const timeouts = new Map([
  ['stripe', 'PAYMENT_TIMEOUT_MS'],
  ...platforms.map((platform) => [platform.toLowerCase(), 'NETWORK_TIMEOUT_MS'] as const),
]);
const defaults = new Map([...timeouts.values()].map((name) => [name, settingOf(name)]));

/** Lowers the timeout of calls to a service, unless a test has set it. */
function shortenTimeout(service: string): void {
  const name = timeouts.get(service);
  if (name !== undefined && settingOf(name) === defaults.get(name)) {
    process.env[name] = shortTimeoutMs;
  }
}

function restoreTimeouts(): void {
  for (const [name, value] of defaults) {
    if (process.env[name] === shortTimeoutMs) {
      process.env[name] = value;
    }
  }
}

export { tokenIn } from '#scripts/fixtures/sandbox.ts';

let isCleared = true;

/** Clears the faults once, after the test that adds the first one. */
function clearAfterTest(): void {
  if (isCleared) {
    isCleared = false;
    onTestFinished(async () => {
      isCleared = true;
      await sandbox.clearFaults();
    });
  }
}

/**
 * Ends faults after the test that adds them, and lowers the timeouts while a service hangs.
 * Clearing the faults also closes the circuit breakers, which would otherwise take half a minute.
 */
export const sandbox: SandboxClient = {
  ...client,
  addFault: (fault) => {
    clearAfterTest();
    if (fault.mode.startsWith('hang')) {
      shortenTimeout(fault.service);
    }

    return client.addFault(fault);
  },
  clearFaults: async () => {
    await client.clearFaults();
    restoreTimeouts();
    closeCircuits();
  },
};

/**
 * Processes all queued work and returns the mails sent to an address, newest first. Also sends
 * mails from workers that ran after the mail worker. Expects that their content was not logged.
 */
export async function mailsTo(email: string): Promise<readonly SentMail[]> {
  await drainWork();
  await drainWork(workerDefinitions.mail.name);
  const mails = await sandbox.mails(email);
  for (const { text } of mails) {
    expectUnwritten(text ?? '');
  }

  return mails.toReversed();
}
