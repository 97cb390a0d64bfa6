import { afterEach, describe, expect, it } from 'vitest';
import { planSlot } from '#lib/features/leads/import/import-slots.ts';
import { createInteractiveTemplate, createPromptTemplate, deleteAgent } from '#schemas/ai.ts';
import { createBioLink, deleteBioLink } from '#schemas/bio.ts';
import { deleteCampaign } from '#schemas/campaigns.ts';
import type { Contract } from '#schemas/contract.ts';
import { createCustomField, deleteCustomField } from '#schemas/custom-fields.ts';
import {
  createPipeline,
  createStage,
  deletePipeline,
  importLeads,
  listPipelines,
} from '#schemas/leads.ts';
import {
  acceptInvitation,
  createOrganization,
  deleteOrganization,
} from '#schemas/organizations.ts';
import { type QuotaName, quotas } from '#schemas/quotas.ts';
import { createSegment, deleteSegment } from '#schemas/segments.ts';
import { plant } from '#scripts/fixtures/plant.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type CallInput, call } from '#tests/support/api.ts';
import { inviteByMail } from '#tests/support/organizations.ts';
import { agentSetup } from '../ai/setup.ts';
import { newOffice } from '../campaigns/setup.ts';

const before = { ...process.env };

afterEach(() => {
  for (const { variable } of Object.values(quotas)) {
    process.env[variable] = before[variable] ?? '';
  }
});

function limitTo(name: QuotaName, limit: number): void {
  process.env[quotas[name].variable] = String(limit);
}

function expectExceeded(answer: Answer | undefined, name: QuotaName, limit: number): void {
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'QUOTA_EXCEEDED', quota: { name, limit }, error: 'Conflict' },
  });
}

function asking({ token, organizationId }: Account) {
  return (contract: Contract, options: CallInput = {}) =>
    call(contract, {
      token,
      ...options,
      params: { organization_id: organizationId, ...options.params },
    });
}

/**
 * Makes five concurrent requests for the last free place. Expects that exactly one of them gets it.
 */
async function expectOneOfFive(
  name: QuotaName,
  limit: number,
  create: (index: number) => Promise<Answer>,
): Promise<Answer> {
  limitTo(name, limit);
  const answers = await Promise.all([1, 2, 3, 4, 5].map(create));
  const [made, ...others] = answers.filter(({ status }) => status === 201);
  expect(others).toEqual([]);
  for (const answer of answers.filter((one) => one !== made)) {
    expectExceeded(answer, name, limit);
  }
  if (!made) {
    throw new Error('None was created');
  }

  return made;
}

describe('a quota', () => {
  it('of pipelines counts the default one, and a deleted one frees a place', async () => {
    const ask = asking(await newAccount());
    const create = () => ask(createPipeline, { body: { name: 'P' } });
    const made = await expectOneOfFive('pipelines', 2, create);
    await ask(deletePipeline, { params: { pipeline_id: made.body.pipeline.id } });

    expect((await create()).status).toBe(201);
    expectExceeded(await create(), 'pipelines', 2);
  });

  it('of stages counts those of one pipeline', async () => {
    const ask = asking(await newAccount());
    const [pipeline] = (await ask(listPipelines)).body.pipelines;
    const params = { pipeline_id: pipeline.id };
    await expectOneOfFive('stages', 6, (index) =>
      ask(createStage, { params, body: { name: `S${index}` } }),
    );
    limitTo('stages', 1);

    expectExceeded(
      await ask(createPipeline, { body: { name: 'P', stages: [{ name: 'A' }, { name: 'B' }] } }),
      'stages',
      1,
    );
  });

  it('of custom fields is exact, and a deleted one frees a place', async () => {
    const ask = asking(await newAccount());
    const create = (index: number) =>
      ask(createCustomField, {
        body: { key: `key_${index}`, label: 'A field', type: 'TEXT', appliesTo: 'LEAD' },
      });
    const made = await expectOneOfFive('customFields', 1, create);
    await ask(deleteCustomField, { params: { field_id: made.body.field.id } });

    expect((await create(6)).status).toBe(201);
  });

  it('of segments is exact, and a deleted one frees a place', async () => {
    const ask = asking(await newAccount());
    const create = (index: number) =>
      ask(createSegment, { body: { name: `S${index}`, filter: {} } });
    const made = await expectOneOfFive('segments', 1, create);
    await ask(deleteSegment, { params: { segment_id: made.body.segment.id } });

    expect((await create(6)).status).toBe(201);
  });

  it('of agents is exact, and a deleted one frees a place', async () => {
    const world = await agentSetup();
    const made = await expectOneOfFive('agents', 1, () => world.createAgent());
    await world.ask(deleteAgent, { params: { agent_id: made.body.aiAgent.id } });

    expect((await world.createAgent()).status).toBe(201);
  });

  it('of templates counts each kind separately', async () => {
    const ask = asking(await newAccount());
    const body = (index: number) => ({ name: `T${index}`, templateContent: 'You answer.' });
    await expectOneOfFive('templates', 1, (index) =>
      ask(createPromptTemplate, { body: body(index) }),
    );
    await expectOneOfFive('templates', 1, (index) =>
      ask(createInteractiveTemplate, { body: body(index) }),
    );
  });

  it('of campaigns is exact, and a deleted one frees a place', async () => {
    const office = await newOffice();
    const made = await expectOneOfFive('campaigns', 1, () => office.create());
    await office.ask(deleteCampaign, { params: { campaign_id: made.body.campaign.id } });

    expect((await office.create()).status).toBe(201);
  });

  it('of bio links also counts inactive ones, and a deleted one frees a place', async () => {
    const ask = asking(await newAccount());
    const body = { title: 'Engines', url: 'https://example.com', isActive: false };
    const create = () => ask(createBioLink, { body });
    const made = await expectOneOfFive('bioLinks', 1, create);
    await ask(deleteBioLink, { params: { link_id: made.body.bioLink.id } });

    expect((await create()).status).toBe(201);
  });

  it('of members rejects an acceptance', async () => {
    const owner = await newAccount();
    const guest = await newAccount();
    const { token } = await inviteByMail(owner, owner.organizationId, {
      email: guest.email,
      role: 'MEMBER',
    });
    const accept = () => call(acceptInvitation, { token: guest.token, body: { token } });
    limitTo('members', 1);
    expectExceeded(await accept(), 'members', 1);
    limitTo('members', 2);

    expect((await accept()).status).toBe(200);
  });

  it('of organizations counts those that the user created and that still exist', async () => {
    const { token, organizationId } = await newAccount();
    const create = () => call(createOrganization, { token, body: { name: 'Difference Engines' } });
    await expectOneOfFive('organizations', 2, create);
    await call(deleteOrganization, { token, params: { organization_id: organizationId } });

    expect((await create()).status).toBe(201);
    expectExceeded(await create(), 'organizations', 2);
  });

  it('of imports counts only running ones', async () => {
    const owner = await newAccount();
    const ask = asking(owner);
    const start = () => ask(importLeads, { body: { csv: 'name,email\r\nAda,ada@example.com' } });
    for (let time = 0; time < 3; time += 1) {
      expect((await start()).status).toBe(201);
    }
    await plant(planSlot(owner.organizationId, 0), planSlot(owner.organizationId, 1));

    expectExceeded(await start(), 'imports', 2);
  });
});
