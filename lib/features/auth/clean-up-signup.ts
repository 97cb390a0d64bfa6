import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { deleteCustomer, findCustomersOfAttempt } from '#lib/vendors/stripe/customers.ts';

/** Deletes the customers that an unfinished signup may have created. */
export async function cleanUpSignup({ payload }: WorkRequest<'signupCleanup'>): Promise<'done'> {
  const { attemptId, email } = payload;
  for (const customerId of await findCustomersOfAttempt(email, attemptId)) {
    await deleteCustomer(customerId);
  }

  return 'done';
}
