import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { until } from '#scripts/dev/demo/step.ts';
import { portSetting, readSettings } from '#scripts/dev/stack/settings.ts';
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
  readonly client: SocialLeads;
  readonly inPath: { readonly organizationId: string };
  readonly sandbox: string;
  readonly userId: string;
};

/** Signs up, connects an account, and creates an agent with the knowledge. */
async function openShop(api: string, sandbox: string): Promise<Shop> {
  const { organization, authToken } = await new SocialLeads({ baseUrl: api }).auth.signUp({
    email: `ada-${randomUUID().slice(0, 8)}@example.com`,
    password: 'correct horse battery',
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: 'Analytical Engines',
    timezone: 'Europe/London',
    paymentMethodId: 'pm_card_visa',
  });
  const client = new SocialLeads({ baseUrl: api, token: authToken });
  const inPath = { organizationId: organization.id };
  const userId = `engines-${randomUUID().slice(0, 8)}`;
  const network = sandboxClient(sandbox).network(platform);
  const { accessToken } = await network.issueTokens({ userId, userName: 'Engines' });
  await client.social.connectAccount({
    platform,
    accessToken,
    platformUserId: userId,
    platformUserName: 'Engines',
  });
  await createAgentWithKnowledge(client, inPath);

  return { client, inPath, sandbox, userId };
}

async function createAgentWithKnowledge(
  client: SocialLeads,
  inPath: Shop['inPath'],
): Promise<void> {
  const { source } = await client.ai.createKnowledgeSource({
    ...inPath,
    type: 'FAQ',
    name: 'Questions',
    faq,
  });
  await until('the knowledge was not read', waitSeconds, async () => {
    const params = { ...inPath, sourceId: source.id };
    const found = (await client.ai.getKnowledgeSource(params)).source;

    return found.status === 'PENDING' ? undefined : found;
  });
  const { promptTemplate } = await client.ai.createPromptTemplate({
    ...inPath,
    name: 'Shop',
    templateContent,
    businessInfo: { companyName: 'Analytical Engines' },
  });
  await client.ai.createAgent({
    ...inPath,
    name: 'Shop',
    promptTemplateId: promptTemplate.id,
    channels: ['DIRECT_MESSAGE'],
    knowledgeSourceIds: [source.id],
  });
}

/** Sends a question as a new customer, and waits until it is answered or handed over. */
async function ask({ client, inPath, sandbox, userId }: Shop, text: string): Promise<Outcome> {
  const from = { id: `customer-${randomUUID()}`, name: 'Charles' };
  await sandboxClient(sandbox).network(platform).sendEvent({ userId, type: 'message', text, from });
  const id = await until(`"${text}" did not arrive`, waitSeconds, async () => {
    const query = { limit: 100 };
    const { conversations } = await client.ai.listConversations({ ...inPath, ...query });

    return conversations.find(({ customer }) => customer.id === from.id)?.id;
  });
  const params = { ...inPath, conversationId: id };
  const answer = await until(`"${text}" was not answered`, waitSeconds, async () => {
    const { trace } = await client.debug.traceConversation(params);
    const reply = trace[0]?.reply;

    return reply && reply.outcome !== 'PLANNED' ? reply : undefined;
  });
  const { conversation } = await client.ai.getConversation(params);

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
