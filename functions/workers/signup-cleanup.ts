import { cleanUpSignup } from '#lib/features/accounts/clean-up-signup.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('signupCleanup', cleanUpSignup);
