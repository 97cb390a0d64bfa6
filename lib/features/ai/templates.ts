import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { listMatching, listPage, type Page, type PageRequest } from '#lib/platform/db/list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { textSearch } from '#lib/platform/db/text-search.ts';
import { type Alongside, applied, change, create, write } from '#lib/platform/db/write.ts';
import { conflict, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { planNameChange, planNameClaim, planNameRelease } from '#lib/platform/unique-names.ts';
import type {
  createInteractiveTemplate,
  createPromptTemplate,
  updateInteractiveTemplate,
  updatePromptTemplate,
} from '#schemas/ai.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { requireKnownPlaceholders } from './placeholders.ts';
import { requireFittingPrompt } from './prompt.ts';
import { planTemplateRemoval, type TemplateKind, templateKey } from './template-uses.ts';
import {
  averageResponseTime,
  conversionRate,
  readUsage,
  satisfactionScore,
  type Usage,
} from './usage.ts';

export type BusinessInfo = NonNullable<BodyOf<typeof createPromptTemplate>['businessInfo']>;

export type Personality = NonNullable<BodyOf<typeof createPromptTemplate>['personalitySettings']>;

export type AbTestVariant = NonNullable<BodyOf<typeof createInteractiveTemplate>['abTestVariant']>;

export type Template = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string;
  readonly templateContent: string;
  readonly inputVariables: readonly string[];
  readonly businessInfo?: BusinessInfo;
  readonly personalitySettings?: Personality;
  readonly abTestVariant?: AbTestVariant;
  readonly isActive: boolean;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  /** Number of agents and campaigns that refer to the template. */
  readonly usedBy?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type TemplateDetails =
  | BodyOf<typeof createPromptTemplate>
  | BodyOf<typeof createInteractiveTemplate>;

const counterOf: Readonly<Record<TemplateKind, string>> = {
  TEMPLATE: 'TEMPLATES',
  INTERACTIVE_TEMPLATE: 'INTERACTIVE_TEMPLATES',
};

/** @throws 400 for an unknown placeholder or a long prompt, 409 if the name is taken. */
export async function createTemplate(
  organizationId: string,
  kind: TemplateKind,
  { inputVariables, isActive, ...details }: TemplateDetails,
  alongside: Alongside<Template>,
): Promise<Template> {
  const templateContent = details.templateContent ?? '';
  requireKnownPlaceholders(templateContent, inputVariables ?? []);
  const now = timestamp();
  const template = {
    ...compact(details),
    id: newId(),
    organizationId,
    templateContent,
    inputVariables: inputVariables ?? [],
    isActive: isActive ?? true,
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as Template;
  requireFittingPrompt('templateContent', template);
  await write(
    ...(await alongside(template)),
    planNameClaim(organizationId, kind, template),
    create(templateKey(organizationId, kind, template.id), template),
    planQuotaUse(keys.counter(organizationId, counterOf[kind]), 'templates'),
  );

  return template;
}

/** @throws 404 */
export async function requireTemplate(
  organizationId: string,
  kind: TemplateKind,
  id: string,
): Promise<Template> {
  return requireFound(
    await get<Template>(templateKey(organizationId, kind, id)),
    'Prompt template',
  );
}

export type TemplatePatch =
  | BodyOf<typeof updatePromptTemplate>
  | BodyOf<typeof updateInteractiveTemplate>;

/** @throws 404, 400 for an unknown placeholder or a long prompt, 409 if the name is taken. */
export async function updateTemplate(
  organizationId: string,
  kind: TemplateKind,
  id: string,
  patch: TemplatePatch,
): Promise<Template> {
  const template = await requireTemplate(organizationId, kind, id);
  const inputVariables = patch.inputVariables === null ? [] : patch.inputVariables;
  const wanted = { ...patch, inputVariables };
  if (!changesSomething(template, wanted)) {
    return template;
  }
  requireKnownPlaceholders(
    patch.templateContent ?? template.templateContent,
    inputVariables ?? template.inputVariables,
  );
  requireFittingPrompt('templateContent', applied(template, wanted));
  const set = {
    ...wanted,
    version: template.version + 1,
    updatedAt: timestamp(),
  };
  await write(
    change(templateKey(organizationId, kind, id), {
      set,
      when: equals('version', template.version),
      refused: (stored) =>
        stored
          ? conflict('The template was changed by another request. Try again')
          : notFound('Prompt template'),
    }),
    ...planNameChange(organizationId, kind, template, patch.name ?? undefined),
  );

  return applied(template, set);
}

/** @throws 404, or 409 if an agent or campaign uses the template. */
export async function deleteTemplate(
  organizationId: string,
  kind: TemplateKind,
  id: string,
): Promise<void> {
  await retryWhenOvertaken('template', async () => {
    const template = await requireTemplate(organizationId, kind, id);
    await write(
      planTemplateRemoval(organizationId, { id, kind }),
      planNameRelease(organizationId, kind, template),
      planQuotaRelease(keys.counter(organizationId, counterOf[kind])),
    );
  });
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
  const range = ranges.promptTemplates(organizationId);
  if (isActive !== undefined || search !== undefined) {
    return listMatching<Template>(range, page, matcherOf({ isActive, search }));
  }

  return listPage<Template>(range, page, async () => {
    const counted = await get<{ value: number }>(keys.counter(organizationId, counterOf.TEMPLATE));

    return counted?.value ?? 0;
  });
}

/** Returns all matching interactive templates, newest first. */
export async function listInteractiveTemplates(
  organizationId: string,
  filters: TemplateFilters,
): Promise<readonly Template[]> {
  const range = ranges.interactiveTemplates(organizationId);
  const templates = await query<Template>(range, { newestFirst: true });

  return templates.filter(matcherOf(filters));
}

function presentPrompt(template: Template, { uses = 0, tests = 0 }: Usage) {
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
  const figures = await readUsage(organizationId, 'TEMPLATE', ids);

  return templates.map((template, index) => presentPrompt(template, figures[index] ?? {}));
}

export async function presentUsedTemplate(template: Template) {
  const { organizationId, id } = template;
  const [figures] = await readUsage(organizationId, 'TEMPLATE', [id]);

  return presentPrompt(template, figures ?? {});
}

/** Returns a prompt template as the API presents it, with usage counts. @throws 404 */
export async function requirePromptTemplate(organizationId: string, id: string) {
  const [template, [figures]] = await Promise.all([
    requireTemplate(organizationId, 'TEMPLATE', id),
    readUsage(organizationId, 'TEMPLATE', [id]),
  ]);

  return presentPrompt(template, figures ?? {});
}

export function presentNewPromptTemplate(template: Template) {
  return presentPrompt(template, {});
}

export function presentInteractiveTemplate(template: Template) {
  return { ...template, businessInfo: template.businessInfo ?? {} };
}

function presentWithFigures(template: Template, figures: Usage) {
  return {
    ...presentInteractiveTemplate(template),
    usageCount: figures.uses ?? 0,
    performance: {
      averageResponseTime: averageResponseTime(figures),
      satisfactionScore: satisfactionScore(figures),
      conversionRate: conversionRate(figures),
    },
  };
}

export async function presentInteractiveTemplates(
  organizationId: string,
  templates: readonly Template[],
) {
  const ids = templates.map(({ id }) => id);
  const figures = await readUsage(organizationId, 'INTERACTIVE_TEMPLATE', ids);

  return templates.map((template, index) => presentWithFigures(template, figures[index] ?? {}));
}

/** Returns an interactive template as the API lists it. @throws 404 */
export async function requireInteractiveTemplate(organizationId: string, id: string) {
  const [template, [figures]] = await Promise.all([
    requireTemplate(organizationId, 'INTERACTIVE_TEMPLATE', id),
    readUsage(organizationId, 'INTERACTIVE_TEMPLATE', [id]),
  ]);

  return presentWithFigures(template, figures ?? {});
}
