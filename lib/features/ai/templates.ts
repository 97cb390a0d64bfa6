import { compact } from '#lib/platform/compact.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listMatching, listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get } from '#lib/platform/db/read.ts';
import { textSearch } from '#lib/platform/db/text-search.ts';
import { applied, type ExtraWrites } from '#lib/platform/db/write.ts';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import { records } from '#lib/platform/records.ts';
import { requireRecord } from '#lib/platform/small-record.ts';
import type {
  createInteractiveTemplate,
  createPromptTemplate,
  updateInteractiveTemplate,
  updatePromptTemplate,
} from '#schemas/ai.ts';
import type { BodyOf } from '#schemas/contract.ts';
import {
  type AnswerCounts,
  averageResponseTime,
  conversionRate,
  readAnswerCounts,
  satisfactionScore,
} from './answer-counts.ts';
import { placeholderProblems } from './placeholders.ts';
import { promptProblems } from './prompt.ts';
import { type PromptSource, readInteractiveTemplates, type Template } from './template.ts';
import { type TemplateKind, unusedTemplate } from './template-uses.ts';

export type TemplateDetails =
  | BodyOf<typeof createPromptTemplate>
  | BodyOf<typeof createInteractiveTemplate>;

const counterOf: Readonly<Record<TemplateKind, string>> = {
  TEMPLATE: 'TEMPLATES',
  INTERACTIVE_TEMPLATE: 'INTERACTIVE_TEMPLATES',
};

const recordKindOf = (kind: TemplateKind) => ({ resource: 'Prompt template', kind }) as const;

const recordsOf = (kind: TemplateKind) =>
  records<Template>(recordKindOf(kind), {
    counter: counterOf[kind],
    quota: 'templates',
    uniqueName: ['TEMPLATE_NAME_EXISTS', 'Template name already exists'],
    removable: unusedTemplate,
  });

type TemplateText = PromptSource & Pick<Template, 'inputVariables'>;

/**
 * Returns the reasons why the text of a template is rejected: unknown placeholders, or a prompt
 * that is too long.
 */
function textProblems(template: TemplateText): readonly string[] {
  const unknown = placeholderProblems(template.templateContent, template.inputVariables);

  return unknown.length > 0 ? unknown : promptProblems('templateContent', template);
}

/** Returns the reasons why a new template is rejected. */
export function templateProblems(details: Partial<TemplateDetails>): readonly string[] {
  return textProblems({
    ...compact(details),
    templateContent: details.templateContent ?? '',
    inputVariables: details.inputVariables ?? [],
  } as TemplateText);
}

/** @throws 409 if the name is taken. */
export function createTemplate(
  organizationId: string,
  kind: TemplateKind,
  { inputVariables, isActive, ...details }: TemplateDetails,
  extraWrites: ExtraWrites<Template>,
): Promise<Template> {
  const fields = {
    ...compact(details),
    templateContent: details.templateContent ?? '',
    inputVariables: inputVariables ?? [],
    isActive: isActive ?? true,
  } as Template;

  return recordsOf(kind).create(organizationId, fields, extraWrites);
}

/** @throws 404 */
export function requireTemplate(
  organizationId: string,
  kind: TemplateKind,
  id: string,
): Promise<Template> {
  return requireRecord(recordKindOf(kind), organizationId, id);
}

export type TemplatePatch =
  | BodyOf<typeof updatePromptTemplate>
  | BodyOf<typeof updateInteractiveTemplate>;

/** @throws 404, 400 for an unknown placeholder or a long prompt, 409 if the name is taken. */
export function updateTemplate(
  organizationId: string,
  kind: TemplateKind,
  id: string,
  patch: TemplatePatch,
): Promise<Template> {
  const inputVariables = patch.inputVariables === null ? [] : patch.inputVariables;
  const wanted = { ...patch, inputVariables };

  return recordsOf(kind).update(organizationId, id, wanted, {
    plan: (template) => {
      rejectProblems(textProblems(applied(template, wanted)));

      return {};
    },
  });
}

/** @throws 404, or 409 if an agent or campaign uses the template. */
export function deleteTemplate(
  organizationId: string,
  kind: TemplateKind,
  id: string,
): Promise<void> {
  return recordsOf(kind).remove(organizationId, id);
}

export type TemplateFilters = {
  readonly isActive?: boolean | undefined;
  readonly search?: string | undefined;
  readonly testId?: string | undefined;
};

function matcherOf({ isActive, search, testId }: TemplateFilters) {
  const contains = textSearch(search);

  return ({ name, description = '', ...template }: Template): boolean =>
    (isActive === undefined || template.isActive === isActive) &&
    (testId === undefined || template.abTestVariant?.testId === testId) &&
    contains(name, description);
}

/** Returns a page of prompt templates, newest first. Filters require scanning all templates. */
export async function listPromptTemplates(
  organizationId: string,
  { isActive, search, ...page }: TemplateFilters & PageRequest,
): Promise<Page<Template>> {
  const range = organizationRanges.records(organizationId, 'TEMPLATE');
  if (isActive !== undefined || search !== undefined) {
    return listMatching<Template>(range, page, matcherOf({ isActive, search }));
  }

  return listPage<Template>(range, page, async () => {
    const counted = await get<{ value: number }>(
      organizationKeys.counter(organizationId, counterOf.TEMPLATE),
    );

    return counted?.value ?? 0;
  });
}

/** Returns all matching interactive templates, newest first. */
export async function listInteractiveTemplates(
  organizationId: string,
  filters: TemplateFilters,
): Promise<readonly Template[]> {
  const templates = await readInteractiveTemplates(organizationId);

  return templates.filter(matcherOf(filters));
}

function presentPrompt(template: Template, { uses = 0, tests = 0 }: AnswerCounts) {
  const { businessInfo = {}, personalitySettings = {} } = template;

  return {
    ...template,
    businessInfo: {
      ...businessInfo,
      products: businessInfo.products ?? [],
      services: businessInfo.services ?? [],
    },
    personalitySettings,
    usageCount: uses,
    testCount: tests,
  };
}

export async function presentPromptTemplates(
  organizationId: string,
  templates: readonly Template[],
) {
  const ids = templates.map(({ id }) => id);
  const counts = await readAnswerCounts(organizationId, 'TEMPLATE', ids);

  return templates.map((template, index) => presentPrompt(template, counts[index] ?? {}));
}

export async function presentUsedTemplate(template: Template) {
  const { organizationId, id } = template;
  const [counts] = await readAnswerCounts(organizationId, 'TEMPLATE', [id]);

  return presentPrompt(template, counts ?? {});
}

/**
 * Returns a prompt template in the API's format, with usage counts.
 *
 * @throws 404
 */
export async function requirePromptTemplate(organizationId: string, id: string) {
  const [template, [counts]] = await Promise.all([
    requireTemplate(organizationId, 'TEMPLATE', id),
    readAnswerCounts(organizationId, 'TEMPLATE', [id]),
  ]);

  return presentPrompt(template, counts ?? {});
}

export function presentNewPromptTemplate(template: Template) {
  return presentPrompt(template, {});
}

export function presentInteractiveTemplate(template: Template) {
  return { ...template, businessInfo: template.businessInfo ?? {} };
}

function presentWithCounts(template: Template, counts: AnswerCounts) {
  return {
    ...presentInteractiveTemplate(template),
    usageCount: counts.uses ?? 0,
    performance: {
      averageResponseTime: averageResponseTime(counts),
      satisfactionScore: satisfactionScore(counts),
      conversionRate: conversionRate(counts),
    },
  };
}

export async function presentInteractiveTemplates(
  organizationId: string,
  templates: readonly Template[],
) {
  const ids = templates.map(({ id }) => id);
  const counts = await readAnswerCounts(organizationId, 'INTERACTIVE_TEMPLATE', ids);

  return templates.map((template, index) => presentWithCounts(template, counts[index] ?? {}));
}

/**
 * Returns an interactive template in the API's format.
 *
 * @throws 404
 */
export async function requireInteractiveTemplate(organizationId: string, id: string) {
  const [template, [counts]] = await Promise.all([
    requireTemplate(organizationId, 'INTERACTIVE_TEMPLATE', id),
    readAnswerCounts(organizationId, 'INTERACTIVE_TEMPLATE', [id]),
  ]);

  return presentWithCounts(template, counts ?? {});
}
