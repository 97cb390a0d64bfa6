import { cleanUpSignup } from '#lib/features/auth/clean-up-signup.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { signupCleanupWork } from '#schemas/work-payloads.ts';

export const handler = worker('signupCleanup', signupCleanupWork, cleanUpSignup);
