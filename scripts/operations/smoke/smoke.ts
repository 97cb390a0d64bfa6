import { randomUUID } from 'node:crypto';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { ensure, type Step } from '#scripts/dev/demo/step.ts';

export type SmokeOptions = {
  /** The origin of the service, without a trailing slash. */
  readonly url: string;
  /** Also signs up, reads and deletes. Otherwise the test only reads. */
  readonly isWriting: boolean;
  /** Stripe charges nothing for a signup, but a live account accepts only real cards. */
  readonly paymentMethodId: string;
};

const timeoutMs = 35_000;
/** AWS's mailbox simulator accepts emails to any such address, and none bounces. */
const mailbox = (id: string) => `success+smoke-${id}@simulator.amazonses.com`;

/** Checks that a deployed service responds, and deletes everything it creates. */
export async function smoke(options: SmokeOptions, step: Step): Promise<void> {
  const { url } = options;
  await step('the service is healthy', async () => {
    const { status } = await new SocialLeads({ baseUrl: url }).health.get();

    return [status, undefined];
  });
  await step('the API document is served', async () => {
    const { openapi } = (await answerOf(`${url}/openapi.json`, 200)) as { openapi?: string };
    ensure(openapi?.startsWith('3.') === true, 'The document is not OpenAPI 3');

    return [`OpenAPI ${openapi}`, undefined];
  });
  await step('anonymous calls are rejected', async () => {
    await answerOf(`${url}/auth/me`, 401);

    return ['401', undefined];
  });
  if (options.isWriting) {
    await playRoundTrip(options, step);
  }
}

async function playRoundTrip({ url, paymentMethodId }: SmokeOptions, step: Step): Promise<void> {
  const id = randomUUID();
  const account = await step('sign up', async () => {
    const { authToken, organization } = await new SocialLeads({ baseUrl: url }).auth.signUp({
      email: mailbox(id),
      password: randomUUID(),
      firstName: 'Smoke',
      lastName: 'Test',
      organizationName: `Smoke test ${id}`,
      timezone: 'UTC',
      paymentMethodId,
    });

    return [mailbox(id), { token: authToken, organizationId: organization.id }];
  });
  const client = new SocialLeads({ baseUrl: url, token: account.token });
  const params = { organizationId: account.organizationId };
  try {
    await step('read the account', async () => {
      const { user } = await client.auth.getMe();
      ensure(user.currentOrganization?.id === account.organizationId, 'Another organization');
      const { pipelines } = await client.leads.listPipelines(params);
      ensure(pipelines.length > 0, 'The organization has no pipeline');

      return [`${pipelines.length} pipeline`, undefined];
    });
  } finally {
    await step('delete the organization', async () => {
      await client.organizations.delete(params);
      const isGone = await client.organizations.get(params).then(
        () => false,
        () => true,
      );
      ensure(isGone, 'The deleted organization can still be read');

      return ['its data is removed in the background', undefined];
    });
  }
}

async function answerOf(url: string, status: number): Promise<unknown> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  ensure(answer.status === status, `GET ${url} returned ${answer.status} instead of ${status}`);

  return answer.json();
}
