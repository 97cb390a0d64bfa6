import { describe, expect, it } from 'vitest';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { canReplyToConversation } from '#schemas/conversations.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

const owner = await newAccount();

async function permissionsOf(conversationId: string) {
  const params = { organization_id: owner.organizationId, conversation_id: conversationId };

  return call(canReplyToConversation, { params, token: owner.token });
}

describe('checking who can reply', () => {
  it('allows both until the window closes, but only people after a takeover', async () => {
    const { id: accountId } = await storeSocialAccount(owner.organizationId);
    const windowExpiresAt = timestamp(dayMs);
    const [open, taken] = [
      await storeConversation(owner.organizationId, {
        socialAccountId: accountId,
        windowExpiresAt,
      }),
      await storeConversation(owner.organizationId, {
        socialAccountId: accountId,
        windowExpiresAt,
        controller: 'HUMAN',
      }),
    ];
    const allowed = { allowed: true, until: windowExpiresAt, reason: null };

    expect((await permissionsOf(open.id)).body.canReply).toEqual({
      agent: allowed,
      person: allowed,
    });
    expect((await permissionsOf(taken.id)).body.canReply).toEqual({
      agent: { allowed: false, until: null, reason: 'HUMAN_TAKEOVER' },
      person: allowed,
    });
  });

  it('allows nobody when the account is disconnected', async () => {
    const { id } = await storeConversation(owner.organizationId);
    const inactive = { allowed: false, until: null, reason: 'ACCOUNT_INACTIVE' };

    expect((await permissionsOf(id)).body.canReply).toEqual({ agent: inactive, person: inactive });
  });
});
