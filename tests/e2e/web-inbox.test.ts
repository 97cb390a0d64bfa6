import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { dayMs } from '#lib/platform/clock.ts';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { png } from '#tests/support/media-files.ts';
import { deliveryLimitMs, patiently } from '#tests/support/patience.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  fill,
  newCampaign,
  newColleague,
  newOwner,
  newTemplate,
  openSignedIn,
  openTab,
  testInFullRuns,
  untilLive,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();
/** Tests share it, and write as different customers. */
const inbox = await newInbox();
await inbox.start('Charles Babbage', 'Good morning');

/** An owner with a Facebook page, an agent, and a campaign for the keyword "price". */
async function newInbox() {
  const owner = await newOwner();
  const { client } = owner;
  const inPath = { organizationId: owner.organization.id };
  const [{ id: accountId, platformUserId: userId }, promptTemplateId] = await Promise.all([
    connectPage(owner, 'Engines'),
    newTemplate(client, owner.organization.id),
  ]);
  await Promise.all([
    client.ai.createAgent({
      ...inPath,
      name: 'Engine expert',
      promptTemplateId,
      channels: ['DIRECT_MESSAGE'],
    }),
    newCampaign(owner, accountId, { channel: 'DIRECT_MESSAGE', promptTemplateId }),
  ]);
  const network = sandboxClient(useStack().sandbox).network('FACEBOOK');
  const say = (name: string, text: string, more: { readonly at?: string } = {}) =>
    network.sendEvent({
      ...more,
      userId,
      type: 'message',
      text,
      from: { id: `${name.toLowerCase().replace(/\W/g, '-')}-${userId}`, name },
    });
  /**
   * Writes as a customer, and returns the id of the new conversation. By then the agent has answered,
   * or will not: a page that opens in between could miss the event.
   */
  const start = async (...[name, ...message]: Parameters<typeof say>) => {
    await say(name, ...message);

    return vi.waitFor(async () => {
      const { conversations } = await client.ai.listConversations({ ...inPath, search: name });
      const [{ id = '', lastMessage, unansweredReason } = {}] = conversations;
      expect(unansweredReason !== null || lastMessage?.direction === 'OUT').toBe(true);
      expect(id).not.toBe('');

      return id;
    }, patiently);
  };

  return { ...owner, inPath, network, userId, say, start };
}

const conversationNamed = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name, exact: true });
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const reply = (page: Page) => page.getByLabel('Reply', { exact: true });

test('a person answers, takes over, assigns and closes a conversation, and another tab follows', async () => {
  const { start, network, userId } = inbox;
  await start('Mary Somerville', 'What is the price of an <b>engine</b>?');
  const { page, problems } = await openSignedIn(browser, inbox, '/inbox');
  await conversationNamed(page, 'Mary Somerville').click();
  await page.getByRole('heading', { name: 'Mary Somerville', level: 1 }).waitFor();
  await messages(page)
    .getByText('What is the price of an <b>engine</b>?', { exact: true })
    .waitFor();
  const other = await openTab(page.context(), new URL(page.url()).pathname.replace('/app', ''));
  await messages(other.page).getByText('Agent').waitFor(patiently);
  await untilLive(other.page);

  await button(page, 'Take over').click();
  await button(other.page, 'Hand back').waitFor();
  await reply(page).fill('Ten pounds each.');
  await reply(page).press('Control+Enter');
  await messages(page).getByText('Ten pounds each.').waitFor();
  await expect.poll(() => reply(page).inputValue()).toBe('');
  await messages(other.page).getByText('Ten pounds each.').waitFor();
  await expect
    .poll(() => network.replies(userId))
    .toContainEqual(expect.objectContaining({ text: 'Ten pounds each.' }));
  await button(page, 'Assign').click();
  await button(page, 'Ada Lovelace (you)').click();
  await other.page
    .getByTitle('Takes care of this conversation')
    .getByText('Ada Lovelace')
    .waitFor();
  await button(page, 'Hand back').click();
  await button(other.page, 'Take over').waitFor();
  await button(page, 'Close').click();
  await button(other.page, 'Close').waitFor({ state: 'detached' });

  expect([...problems, ...other.problems]).toEqual([]);
  await close(page);
});

test('a new message appears in the inbox without a reload', async () => {
  const { start, say } = inbox;
  const id = await start('Ada Byron', 'Good morning');
  const { page } = await openSignedIn(browser, inbox, `/conversations/${id}`);
  await messages(page).getByText('Good morning').waitFor();
  await untilLive(page);
  const times: number[] = [];
  // Other tests also use this machine, so the fastest of three counts.
  for (const text of ['one', 'two', 'three']) {
    const startedAtMs = performance.now();
    await say('Ada Byron', `Message ${text}`);
    await messages(page).getByText(`Message ${text}`).waitFor();
    times.push(performance.now() - startedAtMs);
  }

  expect(Math.min(...times)).toBeLessThan(deliveryLimitMs);
  await close(page);
});

test('the inbox shows why nobody answered, what the agent did, and why it gave its answer', async () => {
  const { start } = inbox;
  await start('Luigi Menabrea', 'What is the price?');
  const id = await start('George Boole', 'Are you open on Sunday?');
  const { page } = await openSignedIn(browser, inbox, `/conversations/${id}`);
  await page.getByText('No keyword of your campaigns matched this message').waitFor(patiently);
  await button(page, 'Why?').click();
  const dialog = page.getByRole('dialog', { name: 'What the agent did' });
  await dialog.getByText('No keyword of a campaign matched').waitFor();
  await page.keyboard.press('Escape');
  await conversationNamed(page, 'Luigi Menabrea').click();
  await button(page, 'Why this answer?').click(patiently);
  await dialog.getByText('The keyword price of Spring sale matched.').waitFor();
  await dialog.getByText('The agent answered.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Customer' }).getByText('Sales Pipeline').waitFor();
  await close(page);
});

test('a draft reply survives a reload, and a failed message is resent only once', async () => {
  const { start, client, inPath, network, userId } = inbox;
  const id = await start('John Herschel', 'Good morning');
  const { page } = await openSignedIn(browser, inbox, `/conversations/${id}`);
  await reply(page).fill('A careful answer');
  await page.reload();
  await vi.waitFor(
    async () => expect(await reply(page).inputValue()).toBe('A careful answer'),
    patiently,
  );
  await page.route('**/reply', (route) => route.abort());
  await button(page, 'Send').click();
  await page.getByRole('alert').getByText('We couldn’t reach Social Leads').waitFor();
  expect(await reply(page).inputValue()).toBe('A careful answer');
  await page.unroute('**/reply');

  const sandbox = sandboxClient(useStack().sandbox);
  const path = `/${userId}/messages`;
  const fault = await sandbox.addFault({ service: 'facebook', path, mode: 'down' });
  await button(page, 'Try again').click();
  await messages(page).getByText('Not sent').waitFor();
  await sandbox.endFault(fault.id);
  await button(page, 'Send again').click();
  await messages(page).getByText('Not sent').waitFor({ state: 'detached' });
  await expect.poll(() => reply(page).inputValue()).toBe('');

  await expect
    .poll(async () => {
      const { messages: all } = await client.ai.listMessages({ ...inPath, conversationId: id });

      return all.filter(({ author }) => author === 'HUMAN').map(({ status }) => status);
    })
    .toEqual(['SENT']);
  expect(
    (await network.replies(userId)).filter(({ text }) => text === 'A careful answer'),
  ).toHaveLength(1);
  await close(page);
});

test('a message that the network rejected is resent as a new message', async () => {
  const { start, network, userId } = inbox;
  const id = await start('Augustus De Morgan', 'Good morning');
  const { page } = await openSignedIn(browser, inbox, `/conversations/${id}`);
  const sandbox = sandboxClient(useStack().sandbox);
  const fault = await sandbox.addFault({
    service: 'facebook',
    path: `/${userId}/messages`,
    mode: 'error',
    status: 400,
    body: { error: { code: 100, message: 'No such thing' } },
  });
  await reply(page).fill('A plain answer');
  await button(page, 'Send').click();
  await page.getByRole('alert').waitFor();
  await sandbox.endFault(fault.id);
  await button(page, 'Send again').click();
  await messages(page).getByText('It was sent again later.').waitFor();

  expect(await button(page, 'Send again').count()).toBe(0);
  await expect
    .poll(async () => {
      const texts = (await network.replies(userId)).map(({ text }) => text);

      return texts.filter((text) => text === 'A plain answer');
    })
    .toHaveLength(1);
  await close(page);
});

test('the inbox sends a file and a saved reply with the name filled in, and stores notes', async () => {
  const { start } = inbox;
  const id = await start('Michael Faraday', 'Good morning');
  const { page, problems } = await openSignedIn(browser, inbox, `/conversations/${id}`);
  await button(page, 'Saved replies').click();
  await button(page, 'New saved reply').click();
  await fill(page, { Name: 'Hours', Text: 'Hello {{customerName}}, we open at nine.' });
  await button(page, 'Save').click();
  await page.getByRole('button', { name: 'Hours Hello' }).click();
  await vi.waitFor(
    async () =>
      expect(await reply(page).inputValue()).toBe('Hello Michael Faraday, we open at nine.'),
    patiently,
  );
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Attach file').click(),
  ]);
  await chooser.setFiles({ name: 'engine.png', mimeType: 'image/png', buffer: png() });
  await button(page, 'Remove engine.png').waitFor();
  await button(page, 'Send').click();
  await messages(page).getByRole('img', { name: 'Image' }).waitFor();
  await messages(page).getByText('Hello Michael Faraday, we open at nine.').waitFor();
  await fill(page, { Note: 'Prefers mornings' });
  await button(page, 'Add note').click();
  await page.getByRole('listitem').getByText('Prefers mornings').waitFor();

  expect(problems).toEqual([]);
  await close(page);
});

test('filters, search and order of the inbox are in the address, and lists load page by page', async () => {
  const owner = await newInbox();
  const { start, say, client, inPath } = owner;
  await Promise.all(Array.from({ length: 26 }, (_, index) => say(`Person ${index}`, 'Hello')));
  await start('Charles Babbage', 'What is the price?');
  await expect
    .poll(async () => (await client.ai.listConversations({ ...inPath, limit: 100 })).conversations)
    .toHaveLength(27);
  const { page } = await openSignedIn(browser, owner, '/inbox');
  const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
  await vi.waitFor(async () => expect(await rows.count()).toBe(25), patiently);
  await button(page, 'Show more').click();
  await vi.waitFor(async () => expect(await rows.count()).toBe(27), patiently);
  await page.getByLabel('Search conversations').fill('babb');
  await vi.waitFor(
    async () => expect(await rows.allTextContents()).toEqual(['Charles Babbage']),
    patiently,
  );
  expect(page.url()).toBe(appUrl('/inbox?search=babb'));
  await page.getByLabel('Order').selectOption({ label: 'Waiting longest' });
  await button(page, 'Filters').click();
  await page.getByLabel('Status').selectOption({ label: 'Closed' });
  await page.getByText('No conversation matches').waitFor();
  expect(page.url()).toBe(appUrl('/inbox?search=babb&sort=waiting&status=CLOSED'));
  await page.reload();
  await page.getByText('No conversation matches').waitFor();
  expect(await page.getByLabel('Search conversations').inputValue()).toBe('babb');
  await button(page, 'Clear filters').click();
  await vi.waitFor(async () => expect(await rows.count()).toBe(25), patiently);
  await close(page);
});

test('the inbox shows that the network no longer allows a reply', async () => {
  const { start } = inbox;
  const at = new Date(Date.now() - 2 * dayMs).toISOString();
  const id = await start('Charles Wheatstone', 'Good morning', { at });
  const { page } = await openSignedIn(browser, inbox, '/inbox');
  const answered = Promise.withResolvers<void>();
  await page.route(`**/${id}/can-reply`, async (route) => {
    await answered.promise;

    return route.fallback();
  });
  await conversationNamed(page, 'Charles Wheatstone').click();
  await page.getByText('Checking whether you can reply').waitFor({ state: 'attached' });

  expect(await reply(page).count()).toBe(0);
  answered.resolve();
  await page.getByText('You can’t reply now: Facebook allows replies only').waitFor();
  expect(await reply(page).count()).toBe(0);
  await close(page);
});

test('a viewer can read conversations, and sees no actions', async () => {
  const id = await inbox.start('William Whewell', 'Good morning');
  const viewer = await newColleague(inbox, 'VIEWER');
  const { page } = await openSignedIn(browser, viewer, '/inbox');
  await conversationNamed(page, 'William Whewell').waitFor();
  const rejected: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) {
      rejected.push(response.url());
    }
  });
  await page.goto(appUrl(`/conversations/${id}`));
  await messages(page).getByText('Good morning').waitFor();
  await page.getByText('Members, admins and owners can reply.').waitFor();

  for (const name of ['Take over', 'Assign', 'Close', 'Send', 'Add note', 'Create lead']) {
    expect(await button(page, name).count(), name).toBe(0);
  }
  expect(rejected).toEqual([]);
  await close(page);
});

testInFullRuns('the inbox works with only a keyboard', async () => {
  const { start } = inbox;
  await start('Caroline Herschel', 'Good morning');
  const { page } = await openSignedIn(browser, inbox, '/inbox');
  await conversationNamed(page, 'Caroline Herschel').waitFor();
  const isFocused = (name: string) =>
    page.evaluate((text) => document.activeElement?.textContent === text, name);
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 60 && !(await isFocused(name)); presses += 1) {
      await page.keyboard.press('Tab');
    }
    expect(await isFocused(name), name).toBe(true);
  };
  await tabTo('Caroline Herschel');
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Caroline Herschel' }).waitFor();
  await tabTo('Assign');
  await page.keyboard.press('Enter');
  await vi.waitFor(async () => expect(await isFocused('Ada Lovelace (you)')).toBe(true), patiently);
  await page.keyboard.press('Enter');
  await page.getByTitle('Takes care of this conversation').waitFor();
  await close(page);
});

test('the inbox is accessible in light and dark mode, from phones to large screens', async () => {
  const { page } = await openSignedIn(browser, inbox, '/inbox');
  const link = conversationNamed(page, 'Charles Babbage');
  await link.waitFor();
  await expectAccessible(page, [320, 390, 1280]);
  await link.click();
  await messages(page).getByText('Good morning').waitFor();
  await reply(page).waitFor();
  await expectAccessible(page, [320, 390, 1040, 1280, 1920]);
  await close(page);
});

test('the first page of the inbox needs at most 204,800 bytes', async () => {
  const { page } = await openSignedIn(browser, inbox, '/inbox');
  await conversationNamed(page, 'Charles Babbage').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.reload();
  await conversationNamed(page, 'Charles Babbage').waitFor();

  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThanOrEqual(204_800);
  await close(page);
});

test('opening another area needs at most 80 KB of code', async () => {
  const { page } = await openSignedIn(browser, inbox, '/inbox');
  await conversationNamed(page, 'Charles Babbage').waitFor();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const others = await links.filter({ hasNotText: 'Inbox' }).allTextContents();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  for (const name of others) {
    bytes = 0;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    expect(bytes, name).toBeGreaterThan(0);
    expect(bytes, name).toBeLessThanOrEqual(80 * 1_024);
  }
  await close(page);
});
