import { beforeEach, describe, expect, test } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let ada: Account;
let world: ReplySetup;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
});

async function disclose(aiDisclosure: string | null): Promise<void> {
  const params = { organization_id: ada.organizationId };
  const body = { settings: { aiDisclosure } };
  const { status } = await call(updateOrganization, { params, body, token: ada.token });
  expect(status).toBe(200);
}

async function textsSent(account: SocialAccount): Promise<readonly string[]> {
  return (await world.replies(account)).map(({ text }) => text).toReversed();
}

async function write(account: SocialAccount, said: Parameters<ReplySetup['say']>[1]) {
  await world.say(account, said);
  await world.workOff();
}

async function recommended(): Promise<readonly string[]> {
  const params = { organization_id: ada.organizationId };
  const { body } = await call(getOrganizationHealth, { params, token: ada.token });

  return body.health.recommendations.map(({ type }: { type: string }) => type);
}

describe('the AI disclosure', () => {
  const disclosure = 'An AI wrote this answer.';

  test("ends the agent's first answer in each conversation, public and private", async () => {
    await disclose(disclosure);
    const account = await world.account();
    await world.campaign(account);
    const from = newCustomer();
    await write(account, { type: 'comment', text: 'What is the price?', from });
    await write(account, { type: 'message', text: 'And the price of two?', from });
    await write(account, { type: 'comment', text: 'And the price of three?', from });

    const sent = await world.replies(account);
    const ended = sent.map(({ kind, text }) => [kind, text.endsWith(`\n${disclosure}`)]);
    expect(ended.filter(([, isEnded]) => isEnded).toSorted()).toEqual([
      ['comment', true],
      ['message', true],
    ]);
    expect(ended.length).toBeGreaterThan(3);
  });

  test('is never truncated: the answer is', async () => {
    const long = 'd'.repeat(200);
    await disclose(long);
    const account = await world.account({ platform: 'TWITTER' });
    await world.agent();
    await sandbox.giveAiAnswer({ contains: 'engine', reply: 'word '.repeat(99), action: 'REPLY' });
    await write(account, { type: 'comment', text: 'An engine?', from: newCustomer() });

    const [text = ''] = await textsSent(account);
    expect(text.endsWith(`word…\n${long}`)).toBe(true);
    expect(text.length).toBeLessThanOrEqual(280);
    expect(text.length).toBeGreaterThan(270);
  });

  test('prevents an answer if the network has no room for both', async () => {
    // X counts each of these as two characters.
    await disclose('字'.repeat(140));
    const account = await world.account({ platform: 'TWITTER' });
    await world.agent();
    await write(account, { type: 'comment', text: 'An engine?', from: newCustomer() });

    expect(await textsSent(account)).toEqual([]);
    expect(await world.conversations(account)).toMatchObject([{ stopReason: 'NOT_SUPPORTED' }]);
  });

  test('is recommended while an agent or a campaign answers without it', async () => {
    expect(await recommended()).not.toContain('AI_DISCLOSURE');
    const account = await world.account();
    await world.campaign(account);
    expect(await recommended()).toContain('AI_DISCLOSURE');
    await disclose(disclosure);
    expect(await recommended()).not.toContain('AI_DISCLOSURE');
    await disclose(null);
    await world.agent();
    expect(await recommended()).toContain('AI_DISCLOSURE');
  });
});
