import { cleanUpSignup } from '#lib/auth/clean-up-signup.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('signupCleanup', cleanUpSignup);
