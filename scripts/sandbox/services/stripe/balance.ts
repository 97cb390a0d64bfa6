import { stripeRoute } from './route.ts';

/** What the account itself has at the provider. Nothing is ever paid out here. */
export const balanceRoutes = [
  stripeRoute({
    method: 'GET',
    path: '/v1/balance',
    params: {},
    run: () => ({ object: 'balance', available: [], livemode: false, pending: [] }),
  }),
];
