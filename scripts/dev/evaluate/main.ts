import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createAgent, createPromptTemplate } from '#schemas/ai.ts';
import { signUp } from '#schemas/auth.ts';
import { getConversation, listConversations, traceConversation } from '#schemas/conversations.ts';
import { createKnowledgeSource, getKnowledgeSource } from '#schemas/knowledge.ts';
import { connectSocialAccount } from '#schemas/social.ts';
import { apiClient, type Call } from '#scripts/dev/demo/api-client.ts';
import { until } from '#scripts/dev/demo/step.ts';
import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
import { sandboxClient } from '#scripts/sandbox/client.ts';
import { evaluate, type Outcome, report } from './evaluate.ts';
import { faq, instructSandbox, questions, templateContent } from './questions.ts';

const platform = 'FACEBOOK';
const waitSeconds = 120;
const atOnce = 6;

/**
 * `npm run evaluate` asks the running stack 60 questions, as customers do, and prints how they were
 * answered. The stack may use any OpenAI-compatible server (`OPENAI_BASE_URL` in `.env`).
 * `--prompt-price` and `--completion-price` are dollars per million tokens.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'prompt-price': { type: 'string', default: '0' },
      'completion-price': { type: 'string', default: '0' },
    },
  });
  const settings = readSettings();
  const local = (name: string) => `http://localhost:${portSetting(settings, name)}`;
  const shop = await openShop(local('PORT'), local('SANDBOX_PORT'));
  await instructSandbox(sandboxClient(shop.sandbox));
  const rated = await evaluate(questions, (text) => ask(shop, text), atOnce);
  const prices = {
    prompt: Number(values['prompt-price']),
    completion: Number(values['completion-price']),
  };
  console.log(report(rated, prices).join('\n'));
}

type Shop = {
  readonly call: Call;
  readonly inPath: { readonly organization_id: string };
  readonly sandbox: string;
  readonly userId: string;
};

/** Signs up, connects an account, and creates an agent with the knowledge. */
async function openShop(api: string, sandbox: string): Promise<Shop> {
  const { organization, authToken } = await apiClient(api)(signUp, {
    body: {
      email: `ada-${randomUUID().slice(0, 8)}@example.com`,
      password: 'correct horse battery',
      firstName: 'Ada',
      lastName: 'Lovelace',
      organizationName: 'Analytical Engines',
      timezone: 'Europe/London',
      paymentMethodId: 'pm_card_visa',
    },
  });
  const call = apiClient(api, authToken);
  const inPath = { organization_id: organization.id };
  const userId = `engines-${randomUUID().slice(0, 8)}`;
  const network = sandboxClient(sandbox).network(platform);
  const { accessToken } = await network.issueTokens({ userId, userName: 'Engines' });
  await call(connectSocialAccount, {
    body: { platform, accessToken, platformUserId: userId, platformUserName: 'Engines' },
  });
  await createAgentWithKnowledge(call, inPath);

  return { call, inPath, sandbox, userId };
}

async function createAgentWithKnowledge(call: Call, inPath: Shop['inPath']): Promise<void> {
  const { source } = await call(createKnowledgeSource, {
    params: inPath,
    body: { type: 'FAQ', name: 'Questions', faq },
  });
  await until('the knowledge was not read', waitSeconds, async () => {
    const params = { ...inPath, source_id: source.id };
    const found = (await call(getKnowledgeSource, { params })).source;

    return found.status === 'PENDING' ? undefined : found;
  });
  const { promptTemplate } = await call(createPromptTemplate, {
    params: inPath,
    body: {
      name: 'Shop',
      templateContent,
      businessInfo: { companyName: 'Analytical Engines' },
    },
  });
  await call(createAgent, {
    params: inPath,
    body: {
      name: 'Shop',
      promptTemplateId: promptTemplate.id,
      channels: ['DIRECT_MESSAGE'],
      knowledgeSourceIds: [source.id],
    },
  });
}

/** Sends a question as a new customer, and waits until it was answered or handed over. */
async function ask({ call, inPath, sandbox, userId }: Shop, text: string): Promise<Outcome> {
  const from = { id: `customer-${randomUUID()}`, name: 'Charles' };
  await sandboxClient(sandbox).network(platform).sendEvent({ userId, type: 'message', text, from });
  const id = await until(`"${text}" did not arrive`, waitSeconds, async () => {
    const query = { limit: '100' };
    const { conversations } = await call(listConversations, { params: inPath, query });

    return conversations.find(({ customer }) => customer.id === from.id)?.id;
  });
  const params = { ...inPath, conversation_id: id };
  const answer = await until(`"${text}" was not answered`, waitSeconds, async () => {
    const { trace } = await call(traceConversation, { params });
    const reply = trace[0]?.reply;

    return reply && reply.outcome !== 'PLANNED' ? reply : undefined;
  });
  const { conversation } = await call(getConversation, { params });

  return {
    outcome: answer.outcome,
    reply: conversation.messages.find(({ author }) => author === 'BOT')?.text,
    promptTokens: answer.promptTokens ?? 0,
    completionTokens: answer.completionTokens ?? 0,
  };
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
