import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { mp4 } from '#tests/support/media-files.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  fill,
  heading,
  newColleague,
  newOwner,
  openSignedIn,
  storeImage,
  testInFullRuns,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** A Friday in the future. The days around it are in the same month. */
const day = fridayAfter(`${new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 7)}-09`);

function fridayAfter(date: string): string {
  const days = (5 - new Date(date).getUTCDay() + 7) % 7;

  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

function dayAfter(days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the name of a day in the calendar. */
function named(date: string): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(date));
}

let shared: ReturnType<typeof setUp> | undefined;

/** An owner with accounts on two networks, a scheduled post and a draft, for all tests. */
function world() {
  shared ??= setUp();

  return shared;
}

async function setUp() {
  const owner = await newOwner();
  const { client, organization } = owner;
  const organizationId = organization.id;
  await client.organizations.update({ organizationId, timezone: 'America/New_York' });
  const [facebook, x] = [
    await connectPage(owner, 'Bakery'),
    await connectPage(owner, 'bakery_x', 'TWITTER'),
  ];
  const { group } = await client.content.createGroup({
    organizationId,
    content: 'Old bread',
    draft: true,
    targets: [{ socialAccountId: facebook.id }],
  });

  return { owner, client, organizationId, facebook, x, draft: group };
}

/** Schedules a post at 22:30 in New York, which is a different day in UTC. */
async function scheduled(content: string) {
  const { client, organizationId, facebook } = await world();
  const { group } = await client.content.createGroup({
    organizationId,
    content,
    scheduledAt: `${dayAfter(1)}T03:30:00.000Z`,
    targets: [{ socialAccountId: facebook.id }],
  });
  const postId = group.posts[0]?.id ?? '';

  return {
    postId,
    at: async () =>
      (await client.content.getPost({ organizationId, postId })).contentPost.scheduledAt,
  };
}

/** Waits until a link has the focus. */
async function focused(link: Locator): Promise<void> {
  await expect
    .poll(() => link.evaluate((element) => element === document.activeElement))
    .toBe(true);
}

function chipOn(page: Page, date: string, name: string) {
  return page
    .getByRole('listitem', { name: named(date), exact: true })
    .getByRole('article', { name });
}

test('a post is composed for two accounts with their limits, survives a reload, and is scheduled', async () => {
  const { owner, client, organizationId } = await world();
  const [bread, cake] = [await storeImage(owner, 'bread.jpg'), await storeImage(owner, 'cake.jpg')];
  const { page, problems } = await openSignedIn(browser, owner, '/content');
  const choose = async (whose: string, fileName: string) => {
    await page.getByRole('button', { name: `Choose from library for ${whose}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: fileName }).click();
    await page.getByRole('button', { name: 'Done' }).click();
  };
  await page.getByRole('button', { name: 'New post' }).click();
  await heading(page, 'New post').waitFor();
  await page.getByRole('checkbox', { name: 'bakery_x' }).check();
  await page.getByRole('checkbox', { name: 'Bakery', exact: true }).check();
  await fill(page, { Text: `${'Fresh bread! '.repeat(24)}` });
  const onX = page.getByRole('article', { name: 'Preview on X: bakery_x' });
  await onX.getByText('312 / 280').waitFor();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await page.getByRole('alert').getByText('A network would reject this post').waitFor();
  await page.getByText('Other words or media for some accounts').click();
  await choose('Bakery (Facebook)', 'bread.jpg');
  await fill(page, { 'Words for bakery_x (X)': '<b>Bread</b> https://example.com/a-long-address' });
  await onX.getByText('<b>Bread</b>').waitFor();
  await fill(page, { 'First comment': 'From six o’clock' });
  await page.getByRole('button', { name: 'Add to thread' }).click();
  await page.getByRole('textbox', { name: 'Part 2' }).fill('And cakes');
  await choose('part 2', 'cake.jpg');
  await page.getByText('Tags and tracking').click();
  await fill(page, { Tags: 'bread, spring', 'UTM source': 'app' });
  await page.getByText('Settings of X').click();
  await page.getByLabel('Reply settings').selectOption({ label: 'Mentioned users' });
  await page.reload();
  await onX.getByText('And cakes').waitFor();
  await onX.getByRole('img', { name: 'cake.jpg' }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('Fill in this field.').waitFor();
  await fill(page, { 'Date and time': `${day}T22:30` });
  await page.getByRole('button', { name: 'Schedule' }).click();
  await chipOn(page, day, 'Fresh bread!').waitFor();
  await chipOn(page, day, '<b>Bread</b>').getByText('10:30 PM').waitFor();

  const { contentPosts } = await client.content.listPosts({ organizationId, status: 'SCHEDULED' });
  expect(contentPosts.find(({ platform }) => platform === 'TWITTER')).toMatchObject({
    scheduledAt: `${dayAfter(1)}T03:30:00.000Z`,
    settings: { replySettings: 'mentionedUsers' },
    thread: [{ content: 'And cakes', mediaIds: [cake] }],
    firstComment: null,
    mediaIds: [],
    tags: ['bread', 'spring'],
    utmSource: 'app',
  });
  expect(contentPosts.find(({ platform }) => platform === 'FACEBOOK')).toMatchObject({
    firstComment: { text: 'From six o’clock' },
    thread: [],
    mediaIds: [bread],
  });
  await chipOn(page, day, 'Fresh bread!').getByRole('link').click();
  await page.getByRole('link', { name: 'All accounts of this post' }).click();
  await page.getByRole('button', { name: 'Delete unpublished posts' }).click();
  await page.getByRole('button', { name: 'Delete posts' }).click();
  await heading(page, 'Content').waitFor();
  const left = await client.content.listPosts({ organizationId, tags: ['bread'] });
  expect(left.contentPosts).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  expect(problems).toEqual([]);
  await close(page);
});

test('a post is moved by dragging and by keyboard, in month and week view', async () => {
  const { owner } = await world();
  const { at } = await scheduled('Moved cake');
  const { page, problems } = await openSignedIn(browser, owner, `/content?day=${day}`);
  const on = (date: string) => chipOn(page, date, 'Moved cake');
  await on(day).dragTo(page.getByRole('listitem', { name: named(dayAfter(1)), exact: true }));
  await on(dayAfter(1)).waitFor();
  await expect.poll(at).toBe(`${dayAfter(2)}T03:30:00.000Z`);

  // The second move waits for the first, so that it is stored last.
  const post = /\/content\/[\w-]+\/posts\/[\w-]+$/;
  const moves: Route[] = [];
  await page.route(post, (route) =>
    route.request().method() === 'PATCH' ? void moves.push(route) : route.fallback(),
  );
  await on(dayAfter(1)).getByRole('link').press('Alt+ArrowLeft');
  await on(day).getByRole('link').press('Alt+ArrowLeft');
  await focused(on(dayAfter(-1)).getByRole('link'));
  expect(moves).toHaveLength(1);
  await moves[0]?.fallback();
  await expect.poll(at).toBe(`${dayAfter(1)}T03:30:00.000Z`);
  await expect.poll(() => moves.length).toBe(2);
  expect(await on(dayAfter(-1)).count()).toBe(1);
  await moves[1]?.fallback();
  await page.unroute(post);
  await expect.poll(at).toBe(`${day}T03:30:00.000Z`);
  await page.getByRole('status').getByText('Moved to').waitFor();

  await page.getByRole('button', { name: 'Week', exact: true }).click();
  await on(dayAfter(-1)).getByRole('button', { name: 'Move Moved cake' }).press('Enter');
  await page.getByRole('button', { name: 'Move to the day before' }).press('Enter');
  await on(dayAfter(-2)).waitFor();
  await expectAccessible(page);
  await page.route(post, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: {} })
      : route.fallback(),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await on(dayAfter(-2)).getByRole('link').press('Alt+ArrowLeft');
  await page.getByText('“Moved cake” was not moved.').waitFor();
  await focused(on(dayAfter(-2)).getByRole('link'));
  await page.unroute(post);
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await on(dayAfter(-3)).waitFor();
  await expect.poll(at).toBe(`${dayAfter(-2)}T03:30:00.000Z`);
  await on(dayAfter(-3)).getByRole('link').press('Alt+ArrowUp');
  await focused(on(dayAfter(-10)).getByRole('link'));
  expect(problems.filter((problem) => !problem.includes('500'))).toEqual([]);
  await close(page);
});

test('a post is published immediately, and each account shows its result', async () => {
  const { owner, facebook } = await world();
  const sandbox = sandboxClient(useStack().sandbox);
  const path = `/${facebook.platformUserId}/feed`;
  await sandbox.addFault({
    service: 'facebook',
    method: 'POST',
    path,
    mode: 'error',
    status: 400,
    body: JSON.stringify({ error: { message: 'Not today', code: 100 } }),
  });
  const { page } = await openSignedIn(browser, owner, '/content/new');
  await fill(page, { Text: 'Open today' });
  await page.getByRole('checkbox', { name: 'bakery_x' }).check();
  await page.getByRole('checkbox', { name: 'Bakery', exact: true }).check();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await heading(page, 'Post').waitFor();
  const target = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  await target('bakery_x').getByText('Published').waitFor();
  await target('Bakery').getByText('Not today').waitFor();
  await expectAccessible(page);
  await target('Bakery').getByRole('button', { name: 'Try again' }).click();
  await target('Bakery').getByText('Scheduled').waitFor();
  await target('bakery_x').getByRole('link', { name: 'bakery_x' }).click();
  await heading(page, 'Post on X').waitFor();
  await close(page);
});

test('an upload is paused, continues after a lost connection, and is retried', async () => {
  const { owner, client, organizationId } = await world();
  const { page } = await openSignedIn(browser, owner, '/content');
  const content = mp4({ videoBytes: 100 });
  let sendings = 0;
  await page.route(/\/uploads\/.*\/0000\?/, (route) => {
    sendings += 1;
    if (sendings === 1) {
      return;
    }

    return sendings === 2 ? route.abort('internetdisconnected') : route.fallback();
  });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload media' }).click();
  await (await chooser).setFiles({ name: 'bread.mp4', mimeType: 'video/mp4', buffer: content });
  const progress = page.getByRole('progressbar', { name: 'Upload of bread.mp4' });
  await progress.waitFor();
  await expect.poll(() => sendings).toBe(1);
  await page.getByRole('button', { name: 'Pause bread.mp4' }).click();
  await page.getByRole('status').getByText('Paused').waitFor();
  await expectAccessible(page);
  let isBroken = true;
  await page.route(/\/media\/[\w-]+\/[\w-]+\/complete$/, (route) =>
    isBroken ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  );
  await page.getByRole('button', { name: 'Resume bread.mp4' }).click();
  await page.getByRole('status').getByText('Connection lost').waitFor();
  const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  isBroken = false;
  await retry.click();
  await progress.waitFor({ state: 'detached' });

  expect(sendings).toBe(3);
  const { mediaItems } = await client.media.list({ organizationId, kind: 'VIDEO' });
  expect(mediaItems).toMatchObject([
    { fileName: 'bread.mp4', bytes: content.length, status: 'READY' },
  ]);
  await close(page);
});

/** Chooses a large video. The page creates its middle: sending all bytes to the browser takes long. */
async function choose(input: Locator, name: string, content: Buffer): Promise<void> {
  const endBytes = 1_000;
  const [start, end] = [content.subarray(0, endBytes), content.subarray(-endBytes)];
  const made = { name, start: [...start], end: [...end], bytes: content.length - 2 * endBytes };
  await input.evaluate((element, video) => {
    const middle = new Uint8Array(video.bytes).fill(7);
    const parts = [new Uint8Array(video.start), middle, new Uint8Array(video.end)];
    const chosen = new DataTransfer();
    chosen.items.add(new File(parts, video.name, { type: 'video/mp4' }));
    (element as HTMLInputElement).files = chosen.files;
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }, made);
}

test('an upload resumes after a reload with its missing parts, renews its links, and is canceled', async () => {
  const { owner, client, organizationId } = await world();
  const { page } = await openSignedIn(browser, owner, '/content/media');
  const content = mp4({ videoBytes: 17_000_000 });
  const other = mp4({ videoBytes: 17_000_000, brand: 'iso2' });
  const input = page.getByRole('main').locator('input[type=file]');
  const sent: string[] = [];
  let links = 0;
  // The first links expire before they are used.
  await page.route(/\/upload$/, async (route) => {
    links += 1;
    if (links === 1) {
      await page.clock.setSystemTime(Date.now() + hourMs);
    }

    return route.fallback();
  });
  page.on('request', (request) => sent.push(...(/000\d(?=\?)/.exec(request.url()) ?? [])));
  let holds = true;
  await page.route(/\/0001\?/, (route) => (holds ? undefined : route.fallback()));
  await choose(input.first(), 'rolls.mp4', content);
  await expect.poll(() => sent).toEqual(['0000', '0001']);
  expect(links).toBe(2);

  await page.unroute(/\/upload$/);
  await page.reload();
  const medium = page.getByRole('article', { name: 'rolls.mp4' });
  await medium.getByText('Choose the file again to continue.').waitFor();
  await expectAccessible(page, [320]);
  await choose(medium.locator('input'), 'rolls.mp4', other);
  await medium.getByRole('alert').getByText('This is another file.').waitFor();
  holds = false;
  await choose(medium.locator('input'), 'rolls.mp4', content);
  await medium.getByText('17 MB', { exact: true }).waitFor();
  expect(sent).toEqual(['0000', '0001', '0001']);
  const { mediaItems } = await client.media.list({ organizationId, kind: 'VIDEO' });
  expect(mediaItems[0]).toMatchObject({ bytes: content.length, status: 'READY' });

  holds = true;
  await choose(input.first(), 'buns.mp4', other);
  await page.getByRole('button', { name: 'Cancel buns.mp4' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  const { mediaItems: left } = await client.media.list({ organizationId, status: 'UPLOADING' });
  expect(left).toEqual([]);
  await close(page);
});

test('media get a description, are chosen for a post and deleted; a post is changed and deleted', async () => {
  const { owner, client, organizationId } = await world();
  const { postId } = await scheduled('Rye');
  const { page, problems } = await openSignedIn(browser, owner, `/content/posts/${postId}`);
  await page.getByText('Choose from library').waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'rye.jpg', mimeType: 'image/jpeg', buffer: jpeg() });
  await page.getByRole('button', { name: 'Remove rye.jpg' }).click();
  await page.getByRole('button', { name: 'Choose from library' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'rye.jpg' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await fill(page, { Text: 'Spelt', 'Date and time': `${dayAfter(3)}T08:00` });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Saved').waitFor();
  const { contentPost } = await client.content.getPost({ organizationId, postId });
  expect(contentPost).toMatchObject({
    content: 'Spelt',
    scheduledAt: `${dayAfter(3)}T13:00:00.000Z`,
    mediaIds: [expect.any(String)],
  });

  await page.goto(appUrl('/content/media'));
  const medium = page.getByRole('article', { name: 'rye.jpg' });
  await medium.getByRole('button', { name: 'Describe' }).click();
  await fill(page, { 'Alternative text': 'A loaf of rye bread' });
  await page.getByRole('button', { name: 'Save' }).click();
  await medium.getByRole('img', { name: 'A loaf of rye bread' }).waitFor();
  await expectAccessible(page);
  await medium.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete medium' }).click();
  await page.getByRole('alert').getByText('posts use this media').waitFor();
  await page.goto(appUrl(`/content/posts/${postId}`));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete post' }).click();
  await heading(page, 'Content').waitFor();
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  await close(page);
});

test('posting slots are configured, and the next free one is used', async () => {
  const { owner, client, organizationId } = await world();
  const { page } = await openSignedIn(browser, owner, '/content/new');
  await page.getByRole('button', { name: 'Next free slot' }).click();
  await page.getByRole('alert').getByText('Choose an account first').waitFor();
  await page.getByRole('checkbox', { name: 'Bakery', exact: true }).check();
  await page.getByRole('button', { name: 'Next free slot' }).click();
  await page.getByRole('alert').getByText('No posting slot is free').waitFor();
  await page.getByRole('button', { name: 'Posting slots' }).click();
  await page.getByRole('button', { name: 'Add slot' }).click();
  await page.getByLabel('Day 1').selectOption({ label: 'Friday' });
  await fill(page, { 'Time 1': '10:15' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Next free slot' }).click();
  await expect.poll(() => page.getByLabel('Date and time').inputValue()).toMatch(/T10:15$/);
  const { slots } = await client.content.getPostingSlots({ organizationId });
  expect(slots).toEqual([{ weekday: 5, time: '10:15', socialAccountId: null }]);
  await close(page);
});

testInFullRuns('viewers see posts and media, and a note about who may edit them', async () => {
  const { owner } = await world();
  const contents = ['Only to see', 'One', 'Two', 'Three', 'Four', 'Five'];
  const [{ postId } = { postId: '' }] = await Promise.all(contents.map(scheduled));
  const viewer = await newColleague(owner, 'VIEWER');
  const { page, problems } = await openSignedIn(browser, viewer, `/content?day=${day}`);
  const ofDay = page.getByRole('listitem', { name: named(day), exact: true });
  const more = ofDay.getByRole('button', { name: `more on ${named(day)}` });
  await more.waitFor();
  expect(await ofDay.getByRole('article').count()).toBe(4);
  await more.click();
  await chipOn(page, day, 'Only to see').waitFor();
  expect(await ofDay.getByRole('article').count()).toBeGreaterThanOrEqual(contents.length);
  expect(await page.getByRole('button', { name: /New|Upload|Move/ }).count()).toBe(0);
  await chipOn(page, day, 'Only to see').getByRole('link').click();
  await page.getByRole('article', { name: 'Preview on Facebook: Bakery' }).waitFor();
  expect(await page.getByRole('button', { name: /Save|Publish|Delete/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'All accounts of this post' }).click();
  await page.getByText('Scheduled').waitFor();
  await page.goto(appUrl('/content/media'));
  await heading(page, 'Media').waitFor();
  await page.goto(appUrl('/content/new'));
  await page.getByText('Members, admins and owners can write posts.').waitFor();
  expect(postId).not.toBe('');
  expect(problems).toEqual([]);
  await close(page);
});
