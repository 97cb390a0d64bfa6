import { expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { replyToConversation } from '#schemas/conversations.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { call } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

waitForNobody();

const text = 'Ten pounds.';
const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;

const ada = await newAccount();
const mediaId = (await storeMedia(ada.organizationId)).id;

/** Replies to a new customer with a file and a text, and crashes. */
async function crash(death: Death) {
  const account = await connectedAccount(ada.organizationId);
  const from = { id: `customer-${account.id}`, name: 'Charles Babbage' };
  await deliver('FACEBOOK', await signedEvent(account, { type: 'message', from }));
  await drainWork('inbound-events');
  const [conversation] = await conversationsOf(ada, account);
  const ask = () =>
    call(replyToConversation, {
      params: { organization_id: ada.organizationId, conversation_id: conversation.id },
      token: ada.token,
      body: { mediaIds: [mediaId], message: text },
      headers: { 'idempotency-key': account.id },
    });
  const life = await untilDeath(death, ask);

  return { ...life, account, from, ask };
}

async function outcomeOf(account: SocialAccount) {
  const [conversation, ...others] = await conversationsOf(ada, account);
  expect(others).toEqual([]);
  const sent = await sandbox.network('FACEBOOK').replies(account.platformUserId);
  const parts = sent.map((one) => (one.attachments.length > 0 ? 'file' : one.text));

  return { messages: conversation.messages.slice(1), parts, sent };
}

/** For each result of the customer, the states that the message may show. */
const truthful: Readonly<Record<string, readonly string[]>> = {
  '': ['', 'UNKNOWN The network did not confirm the file. The text was not sent'],
  file: [
    'UNKNOWN The network did not confirm the file. The text was not sent',
    'UNKNOWN The network did not confirm the result',
  ],
  [`file,${text}`]: ['UNKNOWN The network did not confirm the result', 'SENT '],
};

it('a reply with a file sends the file and the text at most once, in order, and reports the known state', async () => {
  await crash(never);
  const { writes, calls } = await crash(never);
  const most = depth(2, Number.POSITIVE_INFINITY);
  const deaths = [...deathsOf(writes, most), ...deathsOf(calls, most, 'a call')];
  const lives = [];
  for (const death of deaths) {
    const life = await crash(death);
    expect(life.hasDied).toBe(true);
    lives.push(life);
  }
  await settle();

  const seen = new Set<string>();
  for (const { account, ask, setFree } of lives) {
    const { messages, parts } = await outcomeOf(account);
    const [{ status = '', failureReason = '' } = {}] = messages;
    const said = status && `${status} ${failureReason ?? ''}`;
    expect(truthful[parts.join()]).toContain(said);
    expect(messages.length).toBeLessThanOrEqual(1);
    seen.add(parts.join());

    // A retry sends only what was certainly not sent.
    await setFree();
    const { body } = await ask();
    const after = await outcomeOf(account);
    expect(after.messages).toMatchObject([{ status: body.reply.status }]);
    expect(after.parts.join()).toBe(status === '' ? `file,${text}` : parts.join());
  }
  expect([...seen].sort()).toEqual(['', 'file', `file,${text}`]);
});

/** Crashes after the file was sent, and lets its echo confirm the file. */
async function crashAfterFile() {
  // The calls are: copying the file, sending it, sending the text.
  const life = await crash({ at: 'a call', nth: 2, when: 'after' });
  const { account, from } = life;
  const { parts, sent } = await outcomeOf(account);
  expect(parts).toEqual(['file']);
  const echo = await signedEvent(account, {
    type: 'message',
    text: '',
    from,
    echo: true,
    eventId: String(sent[0]?.id),
    attachments: [{ kind: 'image' }],
  });
  await deliver('FACEBOOK', echo);
  await drainWork('inbound-events');
  await settle();
  expect((await outcomeOf(account)).messages).toMatchObject([
    { status: 'FAILED', failureReason: 'The file was sent. The text was not' },
  ]);
  await life.setFree();

  return life;
}

it('a retry sends the missing text when the echo confirms the file', async () => {
  const { account, ask } = await crashAfterFile();

  expect((await ask()).body.reply.status).toBe('SENT');
  expect((await outcomeOf(account)).parts).toEqual(['file', text]);
});

it('a retry does not send the text again if it crashes after sending it', async () => {
  const { account, ask } = await crashAfterFile();
  const retry = await untilDeath({ at: 'a call', nth: 1, when: 'after' }, ask);
  await settle();
  await retry.setFree();

  expect((await ask()).body.reply.status).toBe('UNKNOWN');
  expect((await outcomeOf(account)).parts).toEqual(['file', text]);
});
