import { timestamp } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

export const createLiveTicket = contract({
  operationId: 'createLiveTicket',
  method: 'POST',
  path: '/organizations/{organization_id}/live-tickets',
  summary: 'Create a ticket for live updates',
  description:
    'Open a WebSocket at `url?ticket=…` within 60 seconds to receive the events of the organization. A ticket opens one connection.',
  access: memberOfPath('VIEWER'),
  // A repeated request gets a new ticket, because only the hash of the first one is stored.
  idempotent: false,
  usesWebsocket: true,
  status: 201,
  response: z.object({
    ticket: z.string().meta({
      example: '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b.q1w2e3r4t5y6u7i8o9p0q1w2e3r4t5y6u7i8o9p0q1w',
    }),
    url: z.string().meta({ example: 'wss://live.example.com/prod' }),
    expiresAt: timestamp(),
  }),
  message: 'Ticket created successfully',
  errors: ['QUOTA_EXCEEDED'],
});
