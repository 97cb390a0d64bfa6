import { randomUUID } from 'node:crypto';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import {
  newConversation,
  planConversation,
} from '#lib/features/social/conversations/new-conversation.ts';
import { write } from '#lib/platform/db/write.ts';
import { getAttribution } from '#schemas/attribution.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  createCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from '#schemas/custom-fields.ts';
import * as forms from '#schemas/forms.ts';
import * as leads from '#schemas/leads.ts';
import * as segments from '#schemas/segments.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import type { Account, World } from './world.ts';

/** An organization with its default pipeline and its owner. */
type Office = {
  readonly world: World;
  readonly owner: Account;
  readonly pipeline: { readonly id: string; readonly stages: readonly { readonly id: string }[] };
};

type Prepare = (office: Office) => Call | Promise<Call>;

const nothing: Prepare = () => ({});

/** A call by the OWNER in a new organization. */
function officeCall(contract: Contract, prepare: Prepare = nothing): Scene {
  return callOf(contract, async (world) => {
    const office = await openOffice(world);

    return complete(office, await prepare(office));
  });
}

async function openOffice(world: World): Promise<Office> {
  const owner = await world.newAccount();
  const { pipelines } = await world.call(leads.listPipelines, {
    token: owner.token,
    params: { organization_id: owner.organizationId },
  });

  return { world, owner, pipeline: pipelines[0] };
}

function complete({ owner }: Office, call: Call): Call {
  return {
    ...call,
    token: owner.token,
    params: { organization_id: owner.organizationId, ...call.params },
  };
}

function ask(office: Office, contract: Contract, call: Call) {
  return office.world.call(contract, complete(office, call));
}

/** A realistic address. Contacts are indexed by each word of their address. */
function newAddress(): string {
  return `charles${randomUUID().replaceAll('-', '')}@example.com`;
}

function newContact() {
  return { name: 'Charles Babbage', email: newAddress(), company: 'Difference Ltd' };
}

function newLead({ pipeline }: Office) {
  return { pipelineId: pipeline.id, source: 'website', value: 50_000 };
}

async function addContact(office: Office): Promise<string> {
  return (await ask(office, leads.createContact, { body: newContact() })).contact.id;
}

async function addLead(office: Office, details: object = {}): Promise<string> {
  const body = { ...newLead(office), ...details, contact: newContact() };

  return (await ask(office, leads.createLeadWithContact, { body })).lead.id;
}

function newField() {
  return { key: 'budget', label: 'Budget', type: 'NUMBER', appliesTo: 'LEAD' };
}

async function addField(office: Office): Promise<string> {
  return (await ask(office, createCustomField, { body: newField() })).field.id;
}

const newSegment = { name: 'New VIPs', filter: { status: 'NEW', tag: 'vip' } };

async function addSegment(office: Office): Promise<string> {
  return (await ask(office, segments.createSegment, { body: newSegment })).segment.id;
}

function newForm({ pipeline }: Office) {
  return {
    name: 'Contact us',
    pipelineId: pipeline.id,
    fields: ['name', 'email', 'message'],
    consentText: 'I agree that you use my details to answer me.',
  };
}

async function addForm(office: Office) {
  return (await ask(office, forms.createForm, { body: newForm(office) })).form;
}

/** A call by a visitor. */
function visitorCall(contract: Contract, fill?: () => object): Scene {
  return callOf(contract, async (world) => {
    const { code } = await addForm(await openOffice(world));

    return { params: { code }, ...(fill ? { body: fill() } : {}) };
  });
}

async function addPipeline(office: Office): Promise<string> {
  return (await ask(office, leads.createPipeline, { body: { name: 'Partners' } })).pipeline.id;
}

async function addStage(office: Office): Promise<string> {
  const params = { pipeline_id: office.pipeline.id };
  const body = { name: 'Negotiation' };

  return (await ask(office, leads.createStage, { params, body })).stage.id;
}

/**
 * Created directly, because conversations come from social networks and have no create endpoint.
 */
async function addConversation(
  { owner }: Office,
  details: Pick<Conversation, 'postId'> = {},
): Promise<string> {
  const begun = newConversation({
    account: { id: randomUUID(), organizationId: owner.organizationId, platform: 'FACEBOOK' },
    channel: 'COMMENT',
    customer: { id: randomUUID(), name: 'Charles Babbage' },
  });
  const conversation = { ...begun, ...details };
  await write(...planConversation(conversation));

  return conversation.id;
}

function newImport({ pipeline }: Office) {
  return { pipelineId: pipeline.id, csv: `name,email\r\nCharles Babbage,${newAddress()}` };
}

/** An import with more rows than the endpoint processes itself. All but one are invalid. */
function longImport(office: Office) {
  const { csv, ...others } = newImport(office);

  return { ...others, csv: `${csv}${'\r\nCharles Babbage,nowhere'.repeat(100)}` };
}

function aboutLead(contract: Contract, bodyIn?: (office: Office) => object): Scene {
  return officeCall(contract, async (office) => ({
    params: { lead_id: await addLead(office) },
    ...(bodyIn ? { body: bodyIn(office) } : {}),
  }));
}

function aboutContact(contract: Contract, body?: object): Scene {
  return officeCall(contract, async (office) => ({
    params: { contact_id: await addContact(office) },
    ...(body ? { body } : {}),
  }));
}

function aboutPipeline(contract: Contract, body?: object): Scene {
  return officeCall(contract, async (office) => ({
    params: { pipeline_id: await addPipeline(office) },
    ...(body ? { body } : {}),
  }));
}

function aboutStage(contract: Contract, body?: object): Scene {
  return officeCall(contract, async (office) => ({
    params: { pipeline_id: office.pipeline.id, stage_id: await addStage(office) },
    ...(body ? { body } : {}),
  }));
}

/** A list or statistic of an organization that has a lead. */
function overLeads(contract: Contract): Scene {
  return officeCall(contract, async (office) => {
    await addLead(office);

    return {};
  });
}

const ofLeads: Readonly<Record<string, Scene>> = {
  'create-lead': officeCall(leads.createLead, async (office) => ({
    body: { ...newLead(office), contactId: await addContact(office) },
  })),
  'create-lead-with-contact': officeCall(leads.createLeadWithContact, (office) => ({
    body: { ...newLead(office), contact: newContact() },
  })),
  'convert-conversation': officeCall(leads.convertConversation, async (office) => ({
    body: { ...newLead(office), conversationId: await addConversation(office) },
  })),
  'list-leads': overLeads(leads.listLeads),
  'get-lead': aboutLead(leads.getLead),
  'update-lead': aboutLead(leads.updateLead, () => ({ status: 'QUALIFIED' })),
  'delete-lead': aboutLead(leads.deleteLead),
  'create-lead-activity': aboutLead(leads.createLeadActivity, () => ({
    type: 'NOTE',
    description: 'Called back',
  })),
  'create-custom-field': officeCall(createCustomField, () => ({ body: newField() })),
  'list-custom-fields': officeCall(listCustomFields, async (office) => {
    await addField(office);

    return {};
  }),
  'update-custom-field': officeCall(updateCustomField, async (office) => ({
    params: { field_id: await addField(office) },
    body: { label: 'Size' },
  })),
  'delete-custom-field': officeCall(deleteCustomField, async (office) => ({
    params: { field_id: await addField(office) },
  })),
  'create-segment': officeCall(segments.createSegment, () => ({ body: newSegment })),
  'list-segments': officeCall(segments.listSegments, async (office) => {
    await addSegment(office);

    return {};
  }),
  'get-segment': officeCall(segments.getSegment, async (office) => ({
    params: { segment_id: await addSegment(office) },
  })),
  'update-segment': officeCall(segments.updateSegment, async (office) => ({
    params: { segment_id: await addSegment(office) },
    body: { name: 'Old VIPs' },
  })),
  'delete-segment': officeCall(segments.deleteSegment, async (office) => ({
    params: { segment_id: await addSegment(office) },
  })),
  'create-form': officeCall(forms.createForm, (office) => ({ body: newForm(office) })),
  'list-forms': officeCall(forms.listForms, async (office) => {
    await addForm(office);

    return {};
  }),
  'update-form': officeCall(forms.updateForm, async (office) => ({
    params: { form_id: (await addForm(office)).id },
    body: { name: 'Ask us' },
  })),
  'delete-form': officeCall(forms.deleteForm, async (office) => ({
    params: { form_id: (await addForm(office)).id },
  })),
  'get-form-page': visitorCall(forms.getFormPage),
  'submit-form': visitorCall(forms.submitForm, () => ({
    name: 'Charles Babbage',
    email: newAddress(),
    message: 'How much is an engine?',
    consent: true,
  })),
  'add-lead-tags': aboutLead(leads.addLeadTags, () => ({ tags: ['vip'] })),
  'remove-lead-tag': officeCall(leads.removeLeadTag, async (office) => {
    const lead_id = await addLead(office, { tags: ['vip'] });

    return { params: { lead_id, tag: 'vip' } };
  }),
  'list-lead-tags': overLeads(leads.listLeadTags),
  'move-lead-stage': aboutLead(leads.moveLeadStage, ({ pipeline }) => ({
    stageId: pipeline.stages[1]?.id,
  })),
  'get-lead-stats': overLeads(leads.getLeadStats),
  'get-lead-source-analytics': overLeads(leads.getLeadSourceAnalytics),
  'get-lead-campaign-analytics': overLeads(leads.getLeadCampaignAnalytics),
  'get-lead-pipeline-analytics': overLeads(leads.getLeadPipelineAnalytics),
  'get-attribution': officeCall(getAttribution, async (office) => {
    const conversationId = await addConversation(office, { postId: randomUUID() });
    await ask(office, leads.convertConversation, { body: { ...newLead(office), conversationId } });

    return { query: { by: 'post' } };
  }),
  'export-leads': overLeads(leads.exportLeads),
  'import-leads': officeCall(leads.importLeads, (office) => ({ body: newImport(office) })),
  'get-import': officeCall(leads.getImport, async (office) => {
    const started = await ask(office, leads.importLeads, { body: newImport(office) });

    return { params: { import_id: started.import.id } };
  }),
};

const ofPipelines: Readonly<Record<string, Scene>> = {
  'list-pipelines': officeCall(leads.listPipelines),
  'create-pipeline': officeCall(leads.createPipeline, () => ({ body: { name: 'Partners' } })),
  'get-pipeline': aboutPipeline(leads.getPipeline),
  'update-pipeline': aboutPipeline(leads.updatePipeline, { name: 'Resellers' }),
  'delete-pipeline': aboutPipeline(leads.deletePipeline),
  'list-stages': aboutPipeline(leads.listStages),
  'create-stage': aboutPipeline(leads.createStage, { name: 'Negotiation' }),
  'update-stage': aboutStage(leads.updateStage, { name: 'Haggling' }),
  'delete-stage': aboutStage(leads.deleteStage),
};

const ofContacts: Readonly<Record<string, Scene>> = {
  'list-contacts': overLeads(leads.listContacts),
  'create-contact': officeCall(leads.createContact, () => ({ body: newContact() })),
  'get-contact': aboutContact(leads.getContact),
  'update-contact': aboutContact(leads.updateContact, { phone: '+44 20 7946 0000' }),
  'delete-contact': aboutContact(leads.deleteContact),
  'erase-contact': aboutContact(leads.eraseContact),
  'export-contact': aboutContact(leads.exportContact),
  'get-erasure': officeCall(leads.getErasure, async (office) => {
    const params = { contact_id: await addContact(office) };
    const { erasure } = await ask(office, leads.eraseContact, { params });

    return { params: { erasure_id: erasure.id } };
  }),
  'merge-contacts': officeCall(leads.mergeContacts, async (office) => ({
    params: { contact_id: await addContact(office) },
    body: { duplicateId: await addContact(office) },
  })),
};

/** The queue event for a worker after a call. */
function workAfter(worker: string, cause: (office: Office) => Promise<unknown>): Scene {
  return async (world) => {
    const office = await openOffice(world);
    await world.queues.drain();
    await cause(office);

    return world.queues.takeEvent(worker);
  };
}

const ofWorkers: Readonly<Record<string, Scene>> = {
  'lead-import': workAfter('lead-import', (office) =>
    ask(office, leads.importLeads, { body: longImport(office) }),
  ),
  'lead-removal': workAfter('lead-removal', async (office) => {
    const params = { lead_id: await addLead(office) };

    return ask(office, leads.deleteLead, { params });
  }),
};

export const leadScenes: Readonly<Record<string, Scene>> = {
  ...ofLeads,
  ...ofPipelines,
  ...ofContacts,
  ...ofWorkers,
};
