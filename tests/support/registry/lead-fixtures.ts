import { randomUUID } from 'node:crypto';
import { createSegment } from '#lib/features/leads/segments.ts';
import { nothingElse } from '#lib/platform/db/write.ts';
import { createCustomField, listCustomFields } from '#schemas/custom-fields.ts';
import { createForm } from '#schemas/forms.ts';
import {
  createContact,
  createLeadWithContact,
  createPipeline,
  createStage,
  eraseContact,
  importLeads,
  listPipelines,
} from '#schemas/leads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import type { Answer } from '#tests/support/api.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { ask } from './ask.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

async function defaultPipeline(world: World): Promise<Answer['body']> {
  const { pipelines } = (await ask(world, listPipelines)).body;

  return pipelines.find(({ isDefault }: { isDefault: boolean }) => isDefault);
}

async function newContactId(world: World): Promise<string> {
  const body = { name: world.names[0], email: freshEmail() };

  return (await ask(world, createContact, { body })).body.contact.id;
}

export async function newLead(world: World): Promise<Answer['body']> {
  const body = {
    contact: { name: world.names[0], email: freshEmail() },
    pipelineId: (await defaultPipeline(world)).id,
    source: 'website',
  };

  return (await ask(world, createLeadWithContact, { body })).body.lead;
}

function csvOf({ names }: World): string {
  return `name,email\r\n${names[0]},${freshEmail()}\r\n`;
}

async function newImportId(world: World): Promise<string> {
  return (await ask(world, importLeads, { body: { csv: csvOf(world) } })).body.import.id;
}

async function newPipelineId(world: World): Promise<string> {
  return (await ask(world, createPipeline, { body: { name: world.names[0] } })).body.pipeline.id;
}

async function newStage(world: World): Promise<Readonly<Record<string, string>>> {
  // Uses its own pipeline, because each pipeline has a limited number of stages.
  const params = { pipeline_id: await newPipelineId(world) };
  const { stage } = (await ask(world, createStage, { params, body: { name: 'Negotiation' } })).body;

  return { ...params, stage_id: stage.id };
}

async function newConversationId({ organizationId, names }: World): Promise<string> {
  const customer = { id: randomUUID(), name: names[0] ?? '' };

  return (await storeConversation(organizationId, { customer })).id;
}

const aLead: Fixtures[string] = {
  params: async (world) => ({ lead_id: (await newLead(world)).id }),
};
const aPipeline: Fixtures[string] = {
  params: async (world) => ({ pipeline_id: await newPipelineId(world) }),
};
const aStage: Fixtures[string] = { params: newStage };
const aContact: Fixtures[string] = {
  params: async (world) => ({ contact_id: await newContactId(world) }),
};
const newField = async (world: World) => {
  const { total } = (await ask(world, listCustomFields)).body;
  const body = { key: `field_${total + 1}`, label: 'Budget', type: 'TEXT', appliesTo: 'LEAD' };

  return (await ask(world, createCustomField, { body })).body.field;
};
const aField: Fixtures[string] = {
  params: async (world) => ({ field_id: (await newField(world)).id }),
};
const aSegment: Fixtures[string] = {
  params: async ({ organizationId, names }) => {
    const details = { name: randomUUID(), filter: { source: names[0] } };
    const { id } = await createSegment(organizationId, details, nothingElse);

    return { segment_id: id };
  },
};
const newForm = async (world: World) => {
  const body = {
    name: world.names[0],
    pipelineId: (await defaultPipeline(world)).id,
    fields: ['email'],
  };

  return (await ask(world, createForm, { body })).body.form;
};
const aForm: Fixtures[string] = {
  params: async (world) => ({ form_id: (await newForm(world)).id }),
};
const aFormCode: Fixtures[string] = {
  params: async (world) => ({ code: (await newForm(world)).code }),
};
const inPipeline = async (world: World) => ({ pipelineId: (await defaultPipeline(world)).id });

export const leadFixtures: Fixtures = {
  createLead: {
    body: async (world) => ({
      ...(await inPipeline(world)),
      contactId: await newContactId(world),
    }),
  },
  createLeadWithContact: {
    body: async (world) => ({
      ...(await inPipeline(world)),
      contact: { name: world.names[0], email: freshEmail() },
    }),
  },
  convertConversation: {
    body: async (world) => ({
      ...(await inPipeline(world)),
      conversationId: await newConversationId(world),
    }),
  },
  getLead: aLead,
  getAttribution: { query: async () => ({ by: 'post' }) },
  updateLead: {
    ...aLead,
    body: async ({ people }) => ({ assignedToId: people.MEMBER.userId }),
  },
  deleteLead: aLead,
  // The caller chooses the names in the metadata.
  createLeadActivity: { ...aLead, body: async () => ({ metadata: null }) },
  createCustomField: {
    body: async () => ({ type: 'NUMBER', options: null }),
  },
  updateCustomField: { ...aField, body: async () => ({ options: undefined }) },
  deleteCustomField: aField,
  createSegment: { body: async () => ({ name: randomUUID() }) },
  getSegment: aSegment,
  updateSegment: { ...aSegment, body: async () => ({ name: randomUUID() }) },
  deleteSegment: aSegment,
  createForm: { body: async (world) => inPipeline(world) },
  updateForm: { ...aForm, body: inPipeline },
  deleteForm: aForm,
  getFormPage: aFormCode,
  submitForm: {
    ...aFormCode,
    signed: async () => ({
      headers: { 'content-type': 'application/json' },
      body: { email: freshEmail() },
    }),
  },
  addLeadTags: aLead,
  removeLeadTag: aLead,
  moveLeadStage: {
    ...aLead,
    body: async (world) => ({ stageId: (await defaultPipeline(world)).stages[1].id }),
  },
  getPipeline: aPipeline,
  updatePipeline: aPipeline,
  deletePipeline: aPipeline,
  listStages: aPipeline,
  createStage: aPipeline,
  updateStage: aStage,
  deleteStage: aStage,
  getContact: aContact,
  updateContact: { ...aContact, body: async () => ({ email: freshEmail() }) },
  deleteContact: aContact,
  mergeContacts: {
    ...aContact,
    body: async (world) => ({ duplicateId: await newContactId(world) }),
  },
  eraseContact: aContact,
  exportContact: aContact,
  getErasure: {
    params: async (world) => {
      const params = { contact_id: await newContactId(world) };

      return { erasure_id: (await ask(world, eraseContact, { params })).body.erasure.id };
    },
  },
  importLeads: { body: async (world) => ({ ...(await inPipeline(world)), csv: csvOf(world) }) },
  getImport: { params: async (world) => ({ import_id: await newImportId(world) }) },
  createContact: { body: async () => ({ email: freshEmail() }) },
};
