import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import { type Pipeline, presentPipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import type { CustomField } from './custom-field.ts';
import { type Lead, presentLead } from './lead.ts';

export type LinkedAccount = {
  readonly id: string;
  readonly platform: string;
  readonly platformUserId: string;
  readonly platformUserName: string;
};
export type LinkedPost = {
  readonly id: string;
  readonly platformPostId?: string;
  readonly content: string;
  readonly url?: string;
};

type Links = {
  readonly fields: readonly CustomField[];
  readonly contact: Contact | undefined;
  readonly pipeline: Pipeline | undefined;
  readonly account?: LinkedAccount | undefined;
  readonly post?: LinkedPost | undefined;
};

export function presentLinkedLead(lead: Lead, { contact, pipeline, account, post, fields }: Links) {
  return {
    ...presentLead(lead, fields),
    contact,
    pipeline: pipeline && presentPipeline(pipeline),
    stage: pipeline?.stages.find(({ id }) => id === lead.stageId),
    socialAccount: account && {
      ...account,
      platformId: account.platformUserId,
      name: account.platformUserName,
    },
    contentPost: post,
  };
}
