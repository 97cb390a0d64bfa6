import type { Contract } from '#schemas/contract.ts';
import { createLeadWithContact, listPipelines } from '#schemas/leads.ts';
import { type Account, freshEmail, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';

export type Stage = { readonly id: string; readonly name: string; readonly order: number };
export type Pipeline = {
  readonly id: string;
  readonly name: string;
  readonly stages: readonly Stage[];
};

export type LeadWorld = {
  readonly owner: Account;
  readonly pipeline: Pipeline;
  /** Returns the id of a default pipeline stage by name. */
  readonly stage: (name: string) => string;
  /** Calls an operation of the organization as its owner. */
  readonly ask: (contract: Contract, options?: Call) => Promise<Answer>;
  /** Creates a lead with its own contact. */
  readonly newLead: (details?: Readonly<Record<string, unknown>>) => Promise<Answer['body']>;
};

/** Creates an organization with only its default pipeline. */
export async function leadWorld(): Promise<LeadWorld> {
  const owner = await newAccount();
  const ask = (contract: Contract, { params, ...options }: Call = {}) =>
    call(contract, {
      token: owner.token,
      params: { organization_id: owner.organizationId, ...params },
      ...options,
    });
  const [pipeline]: Pipeline[] = (await ask(listPipelines)).body.pipelines;
  if (!pipeline) {
    throw new Error('The organization has no pipeline');
  }
  const stage = (name: string) => {
    const found = pipeline.stages.find((candidate) => candidate.name === name);
    if (!found) {
      throw new Error(`There is no stage ${name}`);
    }

    return found.id;
  };
  const newLead = async (details: Readonly<Record<string, unknown>> = {}) => {
    const contact = { name: 'Charles Babbage', email: freshEmail('charles') };
    const body = { contact, pipelineId: pipeline.id, source: 'website', ...details };
    const created = await ask(createLeadWithContact, { body });
    if (created.status !== 201) {
      throw new Error(`Creating a lead answered ${created.status}`);
    }

    return created.body.lead;
  };

  return { owner, pipeline, stage, ask, newLead };
}
