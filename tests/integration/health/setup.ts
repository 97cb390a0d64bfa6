import { vi } from 'vitest';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import { setClock } from '#lib/platform/clock.ts';
import { getHealth } from '#schemas/health.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';

export const down = (service: string) => sandbox.addFault({ service, mode: 'down' });

/** Makes the next request probe again, without a low rate limit. For `beforeEach`. */
export function beginHealthTest(): void {
  process.env.HEALTH_LIMIT_PER_USER = '1000';
  forgetChecks();
}

/** Ends all faults, and closes the circuits that they opened. For `afterEach`. */
export async function endHealthTest(): Promise<void> {
  setClock();
  vi.unstubAllEnvs();
  await sandbox.clearFaults();
  forgetChecks();
  await call(getHealth);
}
