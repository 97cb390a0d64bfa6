import { nameCustomer } from '#lib/features/leads/name-customer.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { customerProfileWork } from '#schemas/work-payloads.ts';

export const handler = worker('customerProfile', customerProfileWork, nameCustomer);
