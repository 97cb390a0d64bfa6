import { listRecords, type SmallRecord } from '#lib/platform/small-record.ts';
import type { createInteractiveTemplate, createPromptTemplate } from '#schemas/ai.ts';
import type { BodyOf } from '#schemas/contract.ts';

export type BusinessInfo = NonNullable<BodyOf<typeof createPromptTemplate>['businessInfo']>;

export type Personality = NonNullable<BodyOf<typeof createPromptTemplate>['personalitySettings']>;

export type AbTestVariant = NonNullable<BodyOf<typeof createInteractiveTemplate>['abTestVariant']>;

export type Template = SmallRecord & {
  readonly description?: string;
  readonly templateContent: string;
  readonly inputVariables: readonly string[];
  readonly businessInfo?: BusinessInfo;
  readonly personalitySettings?: Personality;
  readonly abTestVariant?: AbTestVariant;
  readonly isActive: boolean;
  /** Number of agents and campaigns that refer to the template. */
  readonly usedBy?: number;
};

/** The template fields that a prompt needs. Stored templates have more fields. */
export type PromptSource = Pick<
  Template,
  'templateContent' | 'businessInfo' | 'personalitySettings'
>;

/** Returns all interactive templates, newest first. */
export function readInteractiveTemplates(organizationId: string): Promise<readonly Template[]> {
  const kind = { resource: 'Prompt template', kind: 'INTERACTIVE_TEMPLATE' } as const;

  return listRecords<Template>(kind, organizationId);
}
