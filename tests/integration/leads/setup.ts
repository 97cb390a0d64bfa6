import { expect } from 'vitest';
import { csvRow } from '#lib/platform/csv/write-csv.ts';
import type { Contract } from '#schemas/contract.ts';
import { createForm, getFormPage, listForms, submitForm } from '#schemas/forms.ts';
import * as leads from '#schemas/leads.ts';
import {
  createContact,
  createLeadWithContact,
  createPipeline,
  getLead,
  listLeads,
  listPipelines,
} from '#schemas/leads.ts';
import { createSegment } from '#schemas/segments.ts';
import { type Account, freshEmail, newAccount } from '#tests/support/accounts.ts';
import { type Answer, askAs, type CallInput, call } from '#tests/support/api.ts';

export type Stage = { readonly id: string; readonly name: string; readonly order: number };
export type Pipeline = {
  readonly id: string;
  readonly name: string;
  readonly stages: readonly Stage[];
};

export type LeadSetup = {
  readonly owner: Account;
  readonly pipeline: Pipeline;
  /** Returns the id of a default pipeline stage by name. */
  readonly stage: (name: string) => string;
  /** Calls an operation of the organization as its owner. */
  readonly ask: (contract: Contract, options?: CallInput) => Promise<Answer>;
  /** Creates a lead with its own contact. */
  readonly newLead: (details?: Readonly<Record<string, unknown>>) => Promise<Answer['body']>;
};

/** Creates an organization with only its default pipeline. */
export async function leadSetup(): Promise<LeadSetup> {
  const owner = await newAccount();
  const ask = askAs(owner);
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

/** Creates an organization with more pipelines than the default one. */
export async function pipelineSetup() {
  const world = await leadSetup();

  async function newPipeline(body: Readonly<Record<string, unknown>> = { name: 'Partners' }) {
    return (await world.ask(createPipeline, { body })).body.pipeline;
  }

  return { ...world, newPipeline };
}

export type ContactSetup = Awaited<ReturnType<typeof contactSetup>>;

/** Creates an organization with contacts. */
export async function contactSetup() {
  const world = await leadSetup();

  async function newContact(details: Readonly<Record<string, unknown>> = {}) {
    const body = { name: 'Charles Babbage', email: freshEmail('c'), ...details };

    return (await world.ask(createContact, { body })).body.contact;
  }

  return { ...world, newContact };
}

/** Creates a segment with this filter. */
export async function newSegment(
  world: LeadSetup,
  filter: Readonly<Record<string, unknown>>,
  name: string = crypto.randomUUID(),
) {
  return (await world.ask(createSegment, { body: { name, filter } })).body.segment;
}

/** Returns a function that checks whether a lead, as the API presents it, matches a filter. */
export function matcherOf(filter: Readonly<Record<string, unknown>>) {
  const { tag, createdAfter, createdBefore, valueMin, valueMax, ...equal } = filter;

  // biome-ignore lint/suspicious/noExplicitAny: a lead of a response
  return (lead: any): boolean =>
    Object.entries(equal).every(([field, value]) => lead[field] === value) &&
    (tag === undefined || lead.tags.includes(tag)) &&
    (createdAfter === undefined || lead.createdAt > String(createdAfter)) &&
    (createdBefore === undefined || lead.createdAt < String(createdBefore)) &&
    (valueMin === undefined || (lead.value !== null && lead.value >= Number(valueMin))) &&
    (valueMax === undefined || (lead.value !== null && lead.value <= Number(valueMax)));
}

export function fileOf(...rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  return rows.map(csvRow).join('');
}

export function manyRows(number: number): string {
  return fileOf(
    ['name', 'email', 'value'],
    ...Array.from({ length: number }, (_, index) => [
      `Person ${index}`,
      `p${index}@example.com`,
      1,
    ]),
  );
}

export type ImportSetup = Awaited<ReturnType<typeof importSetup>>;

/** Creates an organization and imports leads into its default pipeline. */
export async function importSetup() {
  const owner = await newAccount();
  const pipelineId = (await call(leads.listPipelines, inOrganization())).body.pipelines[0].id;

  function inOrganization(params: Readonly<Record<string, string>> = {}) {
    return { params: { organization_id: owner.organizationId, ...params }, token: owner.token };
  }

  function importLeads(
    csv: string,
    options: Readonly<Record<string, unknown>> = {},
    token = owner.token,
  ) {
    return call(leads.importLeads, { ...inOrganization(), token, body: { csv, ...options } });
  }

  async function importFile(csv: string, options: Readonly<Record<string, unknown>> = {}) {
    const answer = await importLeads(csv, options);
    expect(answer.status).toBe(201);

    return answer.body.import;
  }

  async function readBack(importId: string, query: Readonly<Record<string, string>> = {}) {
    return (await call(leads.getImport, { ...inOrganization({ import_id: importId }), query }))
      .body;
  }

  return { owner, pipelineId, inOrganization, importLeads, importFile, readBack };
}

export type FormSetup = LeadSetup & {
  /** Creates a form with all built-in fields. */
  readonly newForm: (details?: Readonly<Record<string, unknown>>) => Promise<Answer['body']>;
  readonly submissionsOf: (formId: string) => Promise<number>;
  /** The leads of the organization, with their activities. */
  readonly leadsWithActivities: () => Promise<readonly Answer['body'][]>;
};

export const allFields = ['name', 'email', 'phone', 'company', 'message'];

export async function formSetup(): Promise<FormSetup> {
  const world = await leadSetup();
  const newForm = async (details: Readonly<Record<string, unknown>> = {}) => {
    const body = {
      name: 'Contact us',
      pipelineId: world.pipeline.id,
      fields: allFields,
      ...details,
    };
    const created = await world.ask(createForm, { body });
    if (created.status !== 201) {
      throw new Error(`Creating a form answered ${created.status}: ${created.body.message}`);
    }

    return created.body.form;
  };
  const submissionsOf = async (formId: string) => {
    const { forms } = (await world.ask(listForms)).body;

    return forms.find(({ id }: { id: string }) => id === formId).submissions;
  };
  const leadsWithActivities = async () => {
    const { leads } = (await world.ask(listLeads, { query: { limit: '100' } })).body;

    return Promise.all(
      leads.map(
        async ({ id }: { id: string }) =>
          (await world.ask(getLead, { params: { lead_id: id } })).body.lead,
      ),
    );
  };

  return { ...world, newForm, submissionsOf, leadsWithActivities };
}

type Values = Readonly<Record<string, unknown>>;

/** Submits a form like a program. */
export async function sendJson(code: string, values: Values, options: CallInput = {}) {
  const answer = await call(submitForm, { params: { code }, body: values, ...options });

  return {
    ...answer,
    body: typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body,
  };
}

/** Submits a form like a browser. */
export function sendForm(code: string, values: Values, options: CallInput = {}): Promise<Answer> {
  return call(submitForm, {
    params: { code },
    body: new URLSearchParams(values as Record<string, string>).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...options,
  });
}

export function openPage(
  code: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(getFormPage, { params: { code }, query });
}

/** Returns the value of a hidden input. */
export function hiddenValue({ body }: Answer, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}
