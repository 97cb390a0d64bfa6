import { expect, test, vi } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { patiently } from '#tests/support/patience.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  failing,
  fill,
  heading,
  networkId,
  newCampaign,
  newColleague,
  newOwner,
  newTemplate,
  openSignedIn,
  testInFullRuns,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

let shared: ReturnType<typeof setUp> | undefined;

/** An owner with a template, an agent with knowledge, and an A/B test, for all tests. */
function world() {
  shared ??= setUp();

  return shared;
}

async function setUp() {
  const owner = await newOwner();
  const { client } = owner;
  const organizationId = owner.organization.id;
  const [{ source }, templateId] = await Promise.all([
    client.ai.createKnowledgeSource({
      organizationId,
      type: 'TEXT',
      name: 'Opening hours',
      text: 'We open at six in the morning.',
    }),
    newTemplate(client, organizationId),
  ]);
  const { aiAgent } = await client.ai.createAgent({
    organizationId,
    name: 'Baker',
    promptTemplateId: templateId,
    channels: ['DIRECT_MESSAGE'],
    knowledgeSourceIds: [source.id],
  });
  await vi.waitFor(async () => {
    const { sources } = await client.ai.listKnowledgeSources({ organizationId });
    expect(sources).toMatchObject([{ status: 'READY' }]);
  }, patiently);

  return { owner, client, organizationId, templateId, agent: aiAgent };
}

/** A customer asks the agent a question that its knowledge does not cover. */
async function askUncovered(question: string): Promise<void> {
  const { owner, client, organizationId, templateId } = await world();
  const { id, platformUserId } = await connectPage(owner);
  await newCampaign(owner, id, {
    keyword: 'bicycles',
    channel: 'DIRECT_MESSAGE',
    promptTemplateId: templateId,
  });
  const sandbox = sandboxClient(useStack().sandbox);
  await sandbox.giveAiAnswer({ contains: question, covered: false });
  await sandbox.network('FACEBOOK').sendEvent({
    userId: platformUserId,
    type: 'message',
    text: question,
    from: { id: networkId(), name: 'Charles Babbage' },
  });
  await vi.waitFor(async () => {
    const { gaps } = await client.ai.listKnowledgeGaps({ organizationId });
    expect(gaps).toHaveLength(1);
  }, patiently);
}

test('an agent is written with a template, survives a reload, and is changed and deleted', async () => {
  const { owner, client, organizationId } = await world();
  await client.ai.createPromptTemplate({
    organizationId,
    name: 'Offers',
    templateContent: 'Offer {{discount}}.',
    inputVariables: ['discount'],
  });
  const { page, problems } = await openSignedIn(browser, owner, '/agents');
  await page.getByRole('link', { name: 'Baker' }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Night shift');
  await page.getByLabel('Template').selectOption({ label: 'Offers' });
  await page.getByRole('checkbox', { name: 'Opening hours' }).check();
  await page.getByRole('checkbox', { name: 'Only in business hours' }).check();
  await fill(page, { From: '20:00', Until: '06:00', 'Least confidence': '60', discount: '5 %' });
  await page.reload();
  await expect.poll(() => page.getByLabel('Until').inputValue()).toBe('06:00');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create agent' }).click();
  await heading(page, 'Night shift').waitFor();
  await page.getByLabel('Status').selectOption({ label: 'Paused' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Saved').waitFor();
  const { aiAgents } = await client.ai.listAgents({ organizationId, status: 'PAUSED' });
  expect(aiAgents).toMatchObject([
    {
      name: 'Night shift',
      minConfidence: 0.6,
      variables: { discount: '5 %' },
      businessHours: { start: '20:00', end: '06:00' },
      knowledgeSourceIds: [expect.any(String)],
    },
  ]);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete agent' }).click();
  await heading(page, 'Agents').waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  expect(problems).toEqual([]);
  await close(page);
});

test('a template is written and tested in a conversation that shows its trace', async () => {
  const { owner, agent } = await world();
  const { page, problems } = await openSignedIn(browser, owner, '/agents/templates/new');
  await fill(page, { Name: 'Short answers', Tone: 'dry' });
  await page.getByLabel('Instructions').fill('You answer in a {{tone}} tone. Offer {{discount}}.');
  await page.getByText('Agents and campaigns give values for: discount').waitFor();
  await page.getByRole('button', { name: 'Create template' }).click();
  await heading(page, 'Short answers').waitFor();
  await fill(page, { discount: 'ten percent', Message: 'Hello' });
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await page.getByText('How it was made').waitFor();

  await page.goto(appUrl(`/agents/${agent.id}`));
  const send = async (message: string) => {
    await fill(page, { Message: message });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  await send('When do you open?');
  await page.getByText('How it was made').first().click();
  await page.getByText('What it knew').waitFor();
  await page.getByText('We open at six in the morning.').first().waitFor();
  await page.getByText('Instructions that the AI got').waitFor();
  await send('<b>And on Sunday?</b>');
  await page.getByText('<b>And on Sunday?</b>').first().waitFor();
  await expect.poll(() => page.getByText('How it was made').count()).toBe(2);
  await expectAccessible(page);
  expect(problems).toEqual([]);
  await close(page);
});

test('an A/B test is started, shows its probability, and a variant is paused', async () => {
  const { owner, client, organizationId } = await world();
  const { page, problems } = await openSignedIn(browser, owner, '/agents/tests');
  await page.getByRole('button', { name: 'New A/B test' }).click();
  await fill(page, {
    Name: 'Greeting',
    'Instructions A': 'Say hello.',
    'Instructions B': 'Say good day.',
  });
  await page.getByRole('button', { name: 'Start test' }).click();
  const results = page.getByRole('region', { name: 'Greeting', exact: true });
  await results.getByRole('row', { name: /^B: Greeting B 0 0 0% 50%/ }).waitFor();
  await results.getByRole('button', { name: 'Pause Greeting B' }).click();
  await results.getByRole('button', { name: 'Resume Greeting B' }).waitFor();
  await expectAccessible(page);
  const { interactiveTemplates } = await client.ai.listInteractiveTemplates({
    organizationId,
    testId: 'Greeting',
  });
  expect(interactiveTemplates.map(({ isActive }) => isActive).toSorted()).toEqual([false, true]);
  expect(problems).toEqual([]);
  await close(page);
});

test('texts and files become knowledge, and show when they were read or why reading failed', async () => {
  const { owner } = await world();
  const { page } = await openSignedIn(browser, owner, '/agents/knowledge');
  const source = (name: string) => page.getByRole('listitem', { name, exact: true });
  await source('Opening hours').getByText('Ready').waitFor();
  const add = async (kind: string, name: string) => {
    await page.getByRole('button', { name: 'Add knowledge' }).click();
    await page.getByLabel('Kind').selectOption({ label: kind });
    await page.getByRole('dialog').getByLabel('Name').fill(name);
  };
  await add('Text', 'Prices');
  await page.getByLabel('Text', { exact: true }).fill('A loaf costs four pounds.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await source('Prices').getByText('Ready').waitFor();
  await add('File', 'Manual');
  await page.getByLabel('File', { exact: true }).setInputFiles({
    name: 'manual.md',
    mimeType: '',
    buffer: Buffer.from('# Bread\n\nKeep it dry.'),
  });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await source('Manual').getByText('Ready').waitFor();
  await add('Questions and answers', 'Delivery');
  await fill(page, { 'Question 1': 'Do you deliver?', 'Answer 1': 'Yes, by noon.' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await source('Delivery').getByText('Ready').waitFor();
  await source('Prices').getByRole('button', { name: 'Change' }).click();
  await fill(page, { Name: 'Price list', 'New text': 'A loaf costs five pounds.' });
  await page.getByRole('button', { name: 'Save' }).click();
  await source('Price list').getByText('Ready').waitFor();
  const { client, organizationId } = await world();
  const { hits } = await client.ai.searchKnowledge({ organizationId, query: 'a loaf costs' });
  expect(hits.map(({ text }) => text).join()).toContain('five pounds');
  await add('Web page', 'Website');
  await page.getByLabel('Address').fill('https://nowhere.example/');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await source('Website').getByRole('button', { name: 'Read again' }).waitFor();
  await source('Manual').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete source' }).click();
  await source('Manual').waitFor({ state: 'detached' });
  await expectAccessible(page);
  await close(page);
});

test('a knowledge gap is answered in one line', async () => {
  const { owner, client, organizationId } = await world();
  await askUncovered('Do you sell bicycles?');
  const { page, problems } = await openSignedIn(browser, owner, '/agents/gaps');
  const gap = page.getByRole('article', { name: 'Do you sell bicycles?' });
  await gap.getByText('Asked once').waitFor();
  await expectAccessible(page);
  const restore = await failing(page, /\/gaps\/[\w-]+\/answer$/);
  await gap.getByLabel('Answer').fill('No, only bread.');
  await gap.getByLabel('Answer').press('Enter');
  await gap.getByRole('alert').getByText('Something went wrong on our side').waitFor();
  await restore();
  await gap.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No open questions').waitFor();
  const { sources } = await client.ai.listKnowledgeSources({ organizationId });
  expect(sources).toContainEqual(expect.objectContaining({ name: 'Answers', type: 'FAQ' }));
  expect(problems.filter((problem) => !problem.includes('500'))).toEqual([]);
  await close(page);
});

testInFullRuns('viewers see agents and templates, and a note about who may edit them', async () => {
  const { owner, agent, templateId } = await world();
  const viewer = await newColleague(owner, 'VIEWER');
  const { page, problems } = await openSignedIn(browser, viewer, '/agents');
  await page.getByRole('link', { name: 'Baker' }).waitFor();
  for (const path of ['/templates', '/tests', '/knowledge', '/gaps', `/${agent.id}`]) {
    await page.goto(appUrl(`/agents${path}`));
    await page.getByRole('heading', { level: 1 }).waitFor();
    const forbidden = page.getByRole('button', { name: /New|Add|Save|Send|Delete|Answer/ });
    expect(await forbidden.count(), path).toBe(0);
  }
  await page.goto(appUrl(`/agents/templates/${templateId}`));
  await page.getByText('You answer for {{companyName}}.').waitFor();
  await page.goto(appUrl('/agents/new'));
  await page.getByText('Members, admins and owners can create agents.').waitFor();
  expect(problems).toEqual([]);
  await close(page);
});
