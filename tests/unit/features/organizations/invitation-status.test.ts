import { expect, test } from 'vitest';
import { type Invitation, presentInvitation } from '#lib/features/organizations/invitations.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';

const invitedAtMs = Date.parse('2026-03-01T12:00:00.000Z');

const pending: Invitation = {
  invitationId: '0192f0c1-7b5e-7d44-bf77-8091a2b3c4d5',
  organizationId: '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b',
  email: 'grace@example.com',
  role: 'MEMBER',
  invitedBy: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  invitedAt: new Date(invitedAtMs).toISOString(),
  expiresAt: new Date(invitedAtMs + 7 * dayMs).toISOString(),
  status: 'pending',
  tokenHash: 'hash',
  expiresAtSeconds: 0,
};

test.each([
  [0, 'pending'],
  [7 * dayMs - 1, 'pending'],
  [7 * dayMs, 'expired'],
  [700 * dayMs, 'expired'],
])('%i ms after it was sent, an unanswered invitation is %s', (ms, status) => {
  setClock(() => invitedAtMs + ms);

  expect(presentInvitation(pending).status).toBe(status);
});

test.each(['accepted', 'declined', 'revoked'] as const)(
  'an invitation that was %s keeps its status after it expires',
  (status) => {
    setClock(() => invitedAtMs + 700 * dayMs);

    expect(presentInvitation({ ...pending, status }).status).toBe(status);
  },
);

test('an invitation is returned with its id', () => {
  expect(presentInvitation(pending).id).toBe(pending.invitationId);
});
