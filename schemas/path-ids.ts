import * as z from './zod.ts';

export const anyId = z.uuid().toLowerCase();

/** The examples of the document. */
const examples: Readonly<Record<string, string>> = {
  account_id: '0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70',
  agent_id: '0192f0c4-3c4d-7586-97a8-4d5e6f708192',
  campaign_id: '0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4',
  contact_id: '0192f0c2-1a2c-7d4e-9f50-6b7c8d9e0f1a',
  conversation_id: '0192f0c3-2b3c-7182-9394-0f1a2b3c4d5e',
  delivery_id: '0192f0c4-3c4d-7586-97a8-4d5e6f708192',
  erasure_id: '0192f0c4-3c4f-75a8-87ca-6f708192a3b4',
  field_id: '0192f0c4-8a92-7a7c-9daf-6f7081920314',
  form_id: '0192f0c4-9ba3-7d8e-8f90-718293a4b5c6',
  gap_id: '0192f0c9-6a7b-7c8d-9e9f-0a1b2c3d4e5f',
  group_id: '0192f0c3-2b41-76d7-a8e9-5e6f70819203',
  import_id: '0192f0c4-3c4d-7586-97a8-4d5e6f708192',
  invitation_id: '0192f0c1-7b5e-7d44-bf77-8091a2b3c4d5',
  key_id: '0192f0c1-7b60-7f66-9199-a2b3c4d5e6f7',
  lead_id: '0192f0c2-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  link_id: '0192f0c5-4d5e-7687-98a9-6e7f80910213',
  media_id: '0192f0c8-4e5f-7a6b-9c7d-8e9f0a1b2c3d',
  message_id: '0192f0c4-3c4d-7293-a4b5-1f2a3b4c5d6e',
  note_id: '0192f0c4-5e6f-7495-a6b7-3c4d5e6f7081',
  organization_id: '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b',
  pipeline_id: '0192f0c2-1a2d-7e5f-a061-7c8d9e0f1a2b',
  post_id: '0192f0c3-2b3f-74b5-86c7-3c4d5e6f7081',
  rule_id: '0192f0c6-7f80-7192-a3b4-c5d6e7f80912',
  saved_reply_id: '0192f0c4-6f70-7596-b7c8-4d5e6f708192',
  segment_id: '0192f0c4-8a93-7b8d-aebf-708192031425',
  session_id: '0192f0c3-2b40-7a11-8c44-5d6e7f809a1b',
  source_id: '0192f0c9-5f6a-7b7c-8d8e-9f0a1b2c3d4e',
  stage_id: '0192f0c2-1a2e-7f60-b172-8d9e0f1a2b3c',
  template_id: '0192f0c4-3c4e-7697-88b9-5e6f708192a3',
  user_id: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  webhook_id: '0192f0c4-3c4f-77a8-b9ca-6f708192a3b4',
};

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

export type PathIds<Path extends string> = z.ZodObject<Record<Names<Path>, typeof anyId>>;

/** Returns the schema of the ids in a path. */
export function pathIds(path: string): z.ZodObject {
  const names = path.match(/\w+(?=\})/g) ?? [];

  return z.object(
    Object.fromEntries(names.map((name) => [name, anyId.meta({ example: examples[name] })])),
  );
}
