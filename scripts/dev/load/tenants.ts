import { randomUUID } from 'node:crypto';
import { signUp } from '#schemas/auth.ts';
import { createLeadWithContact, listPipelines } from '#schemas/leads.ts';
import { connectSocialAccount } from '#schemas/social.ts';
import { apiClient } from '#scripts/dev/demo/api-client.ts';
import { sandboxClient } from '#scripts/sandbox/client.ts';

/** An organization with leads and a page, and its owner's session. */
export type Tenant = {
  readonly token: string;
  readonly organizationId: string;
  readonly pipelineId: string;
  readonly leadIds: readonly string[];
  /** The page's id on Facebook. */
  readonly pageId: string;
};

const seededLeads = 40;
const atOnce = 4;

/** Creates an organization over HTTP, as its owner would. */
export async function newTenant(api: string, sandbox: string): Promise<Tenant> {
  const mark = randomUUID().slice(0, 8);
  const { organization, authToken } = await apiClient(api)(signUp, {
    body: {
      email: `load-${mark}@example.com`,
      password: 'correct horse battery',
      firstName: 'Ada',
      lastName: 'Lovelace',
      organizationName: `Load ${mark}`,
      timezone: 'Europe/London',
      paymentMethodId: 'pm_card_visa',
    },
  });
  const call = apiClient(api, authToken);
  const params = { organization_id: organization.id };
  const { pipelines } = await call(listPipelines, { params });
  const pipelineId = pipelines[0]?.id ?? '';
  const pageId = `load-${mark}`;
  const { accessToken } = await sandboxClient(sandbox)
    .network('FACEBOOK')
    .issueTokens({ userId: pageId, userName: pageId });
  await call(connectSocialAccount, {
    body: {
      platform: 'FACEBOOK',
      accessToken,
      platformUserId: pageId,
      platformUserName: pageId,
    },
  });
  const leadIds: string[] = [];
  while (leadIds.length < seededLeads) {
    const made = await Promise.all(
      Array.from({ length: atOnce }, () =>
        call(createLeadWithContact, { params, body: newLead(pipelineId) }),
      ),
    );
    leadIds.push(...made.map(({ lead }) => lead.id));
  }

  return { token: authToken, organizationId: organization.id, pipelineId, leadIds, pageId };
}

/** A lead with a unique contact. */
export function newLead(pipelineId: string) {
  const mark = randomUUID();

  return {
    pipelineId,
    contact: { name: `Customer ${mark.slice(0, 8)}`, email: `${mark}@example.com` },
    value: 12_500,
    source: 'load',
  };
}
