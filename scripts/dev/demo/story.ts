import { randomUUID } from 'node:crypto';
import { type SandboxClient, sandboxClient } from '#packages/sandbox/src/client.ts';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { invokeFunction } from '#scripts/dev/stack/invoke-function.ts';
import { inviteColleague, joinAsColleague } from './colleague.ts';
import { awaitComposition, compose, connectAll, uploadMedia } from './compose.ts';
import { ensure, type Step, until } from './step.ts';
import { askForBrochure, followButton, sell, traceSale, writeButton } from './trace-sale.ts';

export type Place = {
  readonly api: string;
  readonly lambda: string;
  readonly sandbox: string;
  readonly stage: string;
};

const password = 'correct horse battery';
const company = 'Analytical Engines';
const keyword = 'price';
const question = `What is the ${keyword} of an engine?`;
const unmatched = 'Are you open on Sunday?';
const customer = 'Charles Babbage';
const platform = 'FACEBOOK';
const waitSeconds = 30;
const scheduledAheadMs = 2_000;

type Owner = {
  readonly client: SocialLeads;
  readonly email: string;
  readonly inPath: { readonly organizationId: string };
  readonly credits: number;
};
type Page = {
  readonly accountId: string;
  readonly userId: string;
  readonly network: ReturnType<SandboxClient['network']>;
};
type Campaign = {
  readonly id: string;
  readonly pipelineId: string;
  readonly firstStageId: string;
};

/**
 * Runs the service's main use case over HTTP, from the signup to the statistics.
 *
 * @returns the new owner's email address and password.
 */
export async function playStory(step: Step, place: Place) {
  const hint = `${place.sandbox}/_sandbox and the output of \`LOG=all npm start\``;
  const owner = await step('sign up', () => register(place));
  const page = await step('connect a Facebook account', () => connect(owner, place), hint);
  const templateId = await step('create a template', () => writeTemplate(owner));
  const agentId = await step('create an agent', () => writeAgent(owner, templateId));
  const campaign = await step('create a campaign', () => writeCampaign(owner, page, templateId));
  const post = await step('publish a post', () => publish(owner, page), hint);
  const commentId = await step(
    'a customer comments',
    () => comment(page, post.platformPostId),
    hint,
  );
  await step('the reply is published', () => awaitReply(page, commentId), hint);
  const leadId = await step('the lead appears in the pipeline', () => findLead(owner, campaign));
  const key = await step('create an API key', () => writeApiKey(owner));
  await step('the lead converts', () => convert(owner, leadId));
  await step('the statistics are up to date', () =>
    readStatistics(
      { ...owner, client: new SocialLeads({ baseUrl: place.api, token: key }) },
      campaign,
    ),
  );
  await step('the reply cost one credit', () => readCredits(owner), hint);
  const invitation = await step(
    'invite a colleague',
    () => inviteColleague(owner, place.sandbox),
    hint,
  );
  await step('the colleague joins', () => joinAsColleague(owner, place.api, invitation.token));
  await step('a message matches nothing', () => write(page, unmatched), hint);
  const colleague = { ...owner, email: invitation.email };
  await step('an email tells the colleague', () => awaitDigest(colleague, place), hint);
  await step('let the agent answer messages', () => answerMessages(owner, agentId));
  await step('a customer asks for a person', () => askForPerson(page, place), hint);
  const conversationId = await step(
    'the team gets an email',
    () => awaitHandover(owner, place),
    hint,
  );
  await step('a person replies', () => replyAsPerson(owner, page, conversationId), hint);
  const scheduledId = await step('schedule a post', () => schedule(owner, page));
  await step(
    'the post is published on time',
    () => awaitPublication(owner, page, place, scheduledId),
    hint,
  );
  const accounts = await step('connect all networks', () => connectAll(owner, place.sandbox), hint);
  const media = await step('upload media', () => uploadMedia(owner), hint);
  const groupId = await step(
    'publish one composition',
    () => compose(owner, accounts, media),
    hint,
  );
  await step(
    'all six networks have it',
    () =>
      awaitComposition(owner, { accounts, groupId, sandbox: place.sandbox }, () =>
        runJob(place, 'content-publish'),
      ),
    hint,
  );
  const brochureId = await step('answer with a button', () =>
    writeButton(owner, page, campaign.pipelineId, templateId),
  );
  const link = await step(
    'a comment gets a private message',
    () => askForBrochure(page, post.platformPostId),
    hint,
  );
  const buyerId = await step(
    'the customer follows the button',
    () => followButton(owner, brochureId, link),
    hint,
  );
  await step('the customer buys', () => sell(owner, buyerId));
  await step('the sale is traced back', () => traceSale(owner, post.id), hint);

  return { email: owner.email, password };
}

async function register({ api }: Place) {
  const email = `ada-${randomUUID().slice(0, 8)}@example.com`;
  const { organization, authToken } = await new SocialLeads({ baseUrl: api }).auth.signUp({
    email,
    password,
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: company,
    timezone: 'Europe/London',
    paymentMethodId: 'pm_card_visa',
  });
  const client = new SocialLeads({ baseUrl: api, token: authToken });
  const { balance } = await client.billing.getBalance();
  ensure(balance.credits > 0, 'the organization has no credits');
  const inPath = { organizationId: organization.id };

  return [
    `${email} owns ${organization.name}, with ${balance.credits} credits`,
    { client, email, inPath, credits: balance.credits } satisfies Owner,
  ] as const;
}

async function connect({ client }: Owner, { sandbox }: Place) {
  const network = sandboxClient(sandbox).network(platform);
  const userId = `engines-${randomUUID().slice(0, 8)}`;
  const { accessToken } = await network.issueTokens({ userId, userName: company });
  const { socialAccount } = await client.social.connectAccount({
    platform,
    accessToken,
    platformUserId: userId,
    platformUserName: company,
  });
  ensure(socialAccount.isActive, 'the account is not active');
  const subscriptions = await network.subscriptions(userId);
  ensure(subscriptions.length === 1, 'the service has not subscribed to the page');
  const page: Page = { accountId: socialAccount.id, userId, network };

  return [`page ${userId}: token verified, webhooks subscribed`, page] as const;
}

async function writeTemplate({ client, inPath }: Owner) {
  const { promptTemplate } = await client.ai.createPromptTemplate({
    ...inPath,
    name: 'Sales',
    templateContent: 'You answer for {{companyName}} in a {{tone}} tone.',
    businessInfo: { companyName: company, products: ['Difference engine'] },
    personalitySettings: { tone: 'friendly' },
  });
  ensure(promptTemplate.isActive, 'the template is not active');

  return [`"${promptTemplate.templateContent}"`, promptTemplate.id] as const;
}

async function writeAgent({ client, inPath }: Owner, promptTemplateId: string) {
  const { aiAgent } = await client.ai.createAgent({
    ...inPath,
    name: 'Engine expert',
    promptTemplateId,
    channels: ['COMMENT'],
  });
  ensure(aiAgent.status === 'ACTIVE', `the agent is ${aiAgent.status}`);

  return [`${aiAgent.name} uses this template for comments`, aiAgent.id] as const;
}

async function answerMessages({ client, inPath }: Owner, agentId: string) {
  const { aiAgent } = await client.ai.updateAgent({
    ...inPath,
    agentId,
    channels: ['COMMENT', 'DIRECT_MESSAGE'],
  });

  return [`${aiAgent.name} answers private messages too`, undefined] as const;
}

async function writeCampaign({ client, inPath }: Owner, page: Page, promptTemplateId: string) {
  const { pipelines } = await client.leads.listPipelines(inPath);
  const pipeline = pipelines.find(({ isDefault }) => isDefault);
  const firstStageId = pipeline?.stages[0]?.id;
  ensure(
    pipeline !== undefined && firstStageId !== undefined,
    'there is no default pipeline with a stage',
  );
  const { campaign } = await client.campaigns.create({
    ...inPath,
    name: 'Spring sale',
    pipelineId: pipeline.id,
    platform,
    socialAccountIds: [page.accountId],
    keywords: [{ keyword, matchType: 'CONTAINS', priority: 1 }],
    agentConfigs: [{ channel: 'COMMENT', promptTemplateId }],
  });
  ensure(campaign.status === 'ACTIVE', `the campaign is ${campaign.status}`);
  const made: Campaign = { id: campaign.id, pipelineId: pipeline.id, firstStageId };

  return [`${campaign.name}: comments with "${keyword}" go to ${pipeline.name}`, made] as const;
}

async function publish({ client, inPath }: Owner, { accountId, userId, network }: Page) {
  const { contentPost } = await client.content.createPost({
    ...inPath,
    socialAccountId: accountId,
    platform,
    content: 'New engines are here',
  });
  const { platformPostId } = contentPost;
  const there = (await network.posts(userId)).find(({ id }) => id === platformPostId);
  ensure(platformPostId !== null && there !== undefined, 'the post is not on the network');

  return [`"${there.text}" is published`, { id: contentPost.id, platformPostId }] as const;
}

async function comment({ userId, network }: Page, postId: string) {
  const { eventId, responses } = await network.sendEvent({
    userId,
    type: 'comment',
    text: question,
    from: { id: `customer-${randomUUID().slice(0, 8)}`, name: customer },
    postId,
  });
  const statuses = responses.map(({ status }) => status).join(', ');
  ensure(statuses === '200', `the service returned ${statuses} for the network's event`);

  return [`${customer}: "${question}"`, eventId] as const;
}

async function awaitReply({ userId, network }: Page, commentId: string) {
  const reply = await until('no reply was published', waitSeconds, async () =>
    (await network.replies(userId)).find(({ inReplyTo }) => inReplyTo === commentId),
  );
  ensure(reply.kind === 'comment', `the reply is a ${reply.kind}`);
  ensure(reply.text.trim() !== '', 'the reply is empty');

  return [`"${reply.text.replace(/\s+/g, ' ')}"`, undefined] as const;
}

async function findLead({ client, inPath }: Owner, { pipelineId, firstStageId }: Campaign) {
  const { leads, pagination } = await client.leads.list({ ...inPath, pipelineId });
  const [lead] = leads;
  ensure(lead !== undefined && pagination.total === 1, `there are ${pagination.total} leads`);
  ensure(lead.contact?.name === customer, `the contact is ${lead.contact?.name}`);
  ensure(lead.stageId === firstStageId, `the lead is in stage ${lead.stage?.name}`);

  return [`${customer}, in stage ${lead.stage?.name}`, lead.id] as const;
}

async function convert({ client, inPath }: Owner, leadId: string) {
  const { lead } = await client.leads.update({
    ...inPath,
    leadId,
    status: 'CONVERTED',
    value: 50_000,
  });
  ensure(lead.converted && lead.convertedAt !== null, `the lead is ${lead.status}`);

  return ['value 500.00', undefined] as const;
}

async function writeApiKey({ client, inPath }: Owner) {
  const { key, apiKey } = await client.organizations.createApiKey({
    ...inPath,
    name: 'Statistics',
    role: 'VIEWER',
  });

  return [`${apiKey.prefix}… reads the statistics below`, key] as const;
}

async function readStatistics({ client, inPath }: Owner, { id }: Campaign) {
  const [{ stats }, { campaign }] = await Promise.all([
    client.leads.getStats(inPath),
    client.campaigns.get({ ...inPath, campaignId: id }),
  ]);
  ensure(
    stats.totalLeads === 1 && stats.convertedLeads === 1 && stats.totalValue === 50_000,
    `the lead statistics are ${JSON.stringify(stats)}`,
  );
  const { leadCount, conversionRate } = campaign;
  ensure(
    leadCount === 1 && conversionRate === 100,
    `the campaign has ${leadCount} leads, ${conversionRate}% converted`,
  );

  return [
    `1 lead, 1 converted, value 500.00; campaign: 1 lead, ${conversionRate}% converted`,
    undefined,
  ] as const;
}

/** The credit is charged only after the reply is on the network, so this polls. */
async function readCredits({ client, credits }: Owner) {
  const left = await until('no credit was charged', waitSeconds, async () => {
    const { balance } = await client.billing.getBalance();

    return balance.credits === credits ? undefined : balance.credits;
  });
  ensure(left === credits - 1, `${credits} credits became ${left}`);

  return [`${credits} before, ${left} now`, undefined] as const;
}

async function askForPerson(page: Page, { sandbox }: Place) {
  const text = `May I speak to a person? ${randomUUID().slice(0, 8)}`;
  await sandboxClient(sandbox).giveAiAnswer({
    contains: text,
    reply: 'Of course. A colleague will be with you shortly.',
    action: 'HANDOFF',
  });

  return write(page, text);
}

async function write({ userId, network }: Page, text: string) {
  const { responses } = await network.sendEvent({
    userId,
    type: 'message',
    text,
    from: { id: `customer-${randomUUID().slice(0, 8)}`, name: customer },
  });
  const statuses = responses.map(({ status }) => status).join(', ');
  ensure(statuses === '200', `the service returned ${statuses} for the network's event`);

  return [`"${text}"`, undefined] as const;
}

/** Finds the conversation by the link in the mail, like its reader. */
async function findMailed({ client, email, inPath }: Owner, { sandbox }: Place, words: string) {
  const mails = await sandboxClient(sandbox).mails(email);
  const mail = mails.find(({ subject }) => subject.includes(words));
  if (!mail) {
    return undefined;
  }
  const id = /\/conversations\/([0-9a-f-]+)/.exec(mail.text ?? '')?.[1] ?? '';
  const { conversation } = await client.ai.getConversation({ ...inPath, conversationId: id });

  return { subject: mail.subject, conversation };
}

async function awaitHandover(owner: Owner, place: Place) {
  const { subject, conversation } = await until(
    'no mail about the handover arrived',
    waitSeconds,
    () => findMailed(owner, place, 'needs an answer'),
  );
  ensure(conversation.controller === 'HUMAN', `${conversation.controller} has the conversation`);
  ensure(conversation.waitingSince !== null, 'the customer does not wait');

  return [`"${subject}"; waiting since ${conversation.waitingSince}`, conversation.id] as const;
}

/** Runs the job directly, because its schedule could take a minute. */
async function awaitDigest(owner: Owner, place: Place) {
  const { subject, conversation } = await until('no digest arrived', waitSeconds, async () => {
    await runJob(place, 'unanswered-digest');

    return findMailed(owner, place, 'waiting for an answer');
  });
  const { unansweredReason } = conversation;
  ensure(unansweredReason === 'NO_AGENT', `the conversation has the reason ${unansweredReason}`);
  const { conversation: read } = await owner.client.ai.readConversation({
    ...owner.inPath,
    conversationId: conversation.id,
  });
  ensure(read.unansweredReason === null, 'the conversation is still unanswered after reading');

  return [`"${subject}"; ${unansweredReason}, until somebody reads it`, undefined] as const;
}

async function replyAsPerson(
  { client, inPath }: Owner,
  { userId, network }: Page,
  conversationId: string,
) {
  const params = { ...inPath, conversationId };
  const message = 'Ada here. How can I help?';
  const { reply } = await client.ai.replyToConversation({ ...params, message });
  ensure(reply.status === 'SENT', `the reply is ${reply.status}`);
  const sent = (await network.replies(userId)).filter(({ text }) => text === message);
  ensure(sent.length === 1, `the network has the reply ${sent.length} times`);
  const { conversation } = await client.ai.getConversation(params);
  ensure(conversation.waitingSince === null, 'the customer still waits');

  return [`"${message}"`, undefined] as const;
}

async function schedule({ client, inPath }: Owner, { accountId, userId, network }: Page) {
  const scheduledAt = new Date(Date.now() + scheduledAheadMs).toISOString();
  const { contentPost } = await client.content.createPost({
    ...inPath,
    socialAccountId: accountId,
    platform,
    content: 'The second engine is here',
    scheduledAt,
  });
  ensure(contentPost.status === 'SCHEDULED', `the post is ${contentPost.status}`);
  const there = await network.posts(userId);
  ensure(!there.some(({ text }) => text === contentPost.content), 'the post is already published');

  return [`"${contentPost.content}" for ${scheduledAt}`, contentPost.id] as const;
}

/** Runs the job when the post is due, because its schedule could take a minute. */
async function awaitPublication(
  { client, inPath }: Owner,
  { userId, network }: Page,
  place: Place,
  postId: string,
) {
  const post = await until('the post was not published', waitSeconds, async () => {
    const { contentPost } = await client.content.getPost({ ...inPath, postId });
    if (contentPost.status === 'SCHEDULED') {
      await runJob(place, 'content-publish');

      return undefined;
    }

    return contentPost;
  });
  ensure(post.status === 'PUBLISHED', `the post is ${post.status}: ${post.failureReason}`);
  const there = (await network.posts(userId)).filter(({ text }) => text === post.content);
  ensure(
    there.length === 1 && there[0]?.id === post.platformPostId,
    `the network has the post ${there.length} times`,
  );
  ensure((post.publishedAt ?? '') >= (post.scheduledAt ?? ''), 'the post was published too early');

  return [`"${post.content}" was published once, at ${post.publishedAt}`, undefined] as const;
}

async function runJob({ lambda, stage }: Place, name: string): Promise<void> {
  const { failed, payload } = await invokeFunction(lambda, `social-leads-${stage}-${name}`, {});
  ensure(!failed, `the job ${name} failed: ${JSON.stringify(payload)}`);
}
