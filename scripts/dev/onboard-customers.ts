import { SocialLeads } from '#packages/sdk/src/index.ts';

/**
 * Onboards three customers of a company that resells the service, and prints a link to the first
 * one's web app. See docs/platform.md. It can be run again, because each step finds its earlier
 * result.
 */
const baseUrl = process.env.SOCIAL_LEADS_URL ?? 'http://localhost:3000';
const operator = new SocialLeads({
  baseUrl,
  token: process.env.OPERATOR_KEY ?? `slo_${'L'.repeat(43)}`,
});

const customers = [
  { externalId: 'crm-1001', name: 'Analytical Engines', owner: 'ada' },
  { externalId: 'crm-1002', name: 'Difference Engines', owner: 'charles' },
  { externalId: 'crm-1003', name: 'Compilers and Sons', owner: 'grace' },
] as const;

type Customer = (typeof customers)[number];

async function onboard({ externalId, name }: Customer): Promise<string> {
  // The key is shown only once. For a day, a retry with the same Idempotency-Key shows it again.
  const { organization, apiKey } = await operator.platform.createOrganization(
    { name, externalId, timezone: 'Europe/London', credits: 500 },
    { idempotencyKey: `onboard ${externalId}` },
  );
  const organizationId = organization.id;
  await operator.platform.updateOrganization({
    organizationId,
    limits: { members: 5, agents: 3 },
  });
  await setUpAgent(organizationId, apiKey.key, externalId);
  console.log(`${name}: organization ${organizationId}, key ${apiKey.prefix}…`);

  return organizationId;
}

/** From now on, the customer's own key is used. The operator's key cannot do this. */
async function setUpAgent(organizationId: string, token: string, externalId: string) {
  const client = new SocialLeads({ baseUrl, token });
  const { promptTemplate } = await client.ai.createPromptTemplate(
    {
      organizationId,
      name: 'Friendly',
      templateContent: 'Answer {{customerName}} in a friendly way.',
      businessInfo: { companyName: 'Us' },
    },
    { idempotencyKey: `template ${externalId}` },
  );
  await client.ai.createAgent(
    {
      organizationId,
      name: 'Assistant',
      channels: ['DIRECT_MESSAGE'],
      promptTemplateId: promptTemplate.id,
    },
    { idempotencyKey: `agent ${externalId}` },
  );
}

const ids: string[] = [];
for (const customer of customers) {
  ids.push(await onboard(customer));
}

const [organizationId = ''] = ids;
await operator.platform.adjustCredits(
  { organizationId, credits: 250, reason: 'Upgrade to the large plan' },
  { idempotencyKey: 'upgrade crm-1001' },
);
const { url, expiresAt } = await operator.platform.createSignInLink({
  organizationId,
  email: 'ada@customer.example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  role: 'OWNER',
  path: '/leads',
});
console.log(`\nOpen the web app of ${customers[0].name} before ${expiresAt}:\n${url}`);
