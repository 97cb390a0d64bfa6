import { createForm, getFormPage, listForms, submitForm } from '#schemas/forms.ts';
import { getLead, listLeads } from '#schemas/leads.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import { type LeadWorld, leadWorld } from './world.ts';

export type FormWorld = LeadWorld & {
  /** Creates a form with all built-in fields. */
  readonly newForm: (details?: Readonly<Record<string, unknown>>) => Promise<Answer['body']>;
  readonly submissionsOf: (formId: string) => Promise<number>;
  /** The leads of the organization, with their activities. */
  readonly leadsWithActivities: () => Promise<readonly Answer['body'][]>;
};

export const allFields = ['name', 'email', 'phone', 'company', 'message'];

export async function formWorld(): Promise<FormWorld> {
  const world = await leadWorld();
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

/** Sends a form as a program does. */
export async function sendJson(code: string, values: Values, options: Call = {}) {
  const answer = await call(submitForm, { params: { code }, body: values, ...options });

  return {
    ...answer,
    body: typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body,
  };
}

/** Sends a form as a browser does. */
export function sendForm(code: string, values: Values, options: Call = {}): Promise<Answer> {
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

/** The value of a hidden input. */
export function hiddenValue({ body }: Answer, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
}
