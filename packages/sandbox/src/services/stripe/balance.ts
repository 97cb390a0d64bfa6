import { stripeRoute } from './route.ts';

/** The account's own Stripe balance. The sandbox does not simulate payouts. */
export const balanceRoutes = [
  stripeRoute({
    method: 'GET',
    path: '/v1/balance',
    params: {},
    run: () => ({ object: 'balance', available: [], livemode: false, pending: [] }),
  }),
];
