import {
  createModerationRule,
  deleteModerationRule,
  listModerationRules,
  updateModerationRule,
} from '#schemas/moderation-rules.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';

type Body = Readonly<Record<string, unknown>>;

/** Calls the operations on an organization's moderation rules. */
export async function moderationWorld(existing?: Account) {
  const owner = existing ?? (await newAccount());
  const { token } = owner;
  const inPath = { organization_id: owner.organizationId };
  const ofRule = (id: string) => ({ ...inPath, rule_id: id });

  return {
    owner,
    create: (body: Body = {}): Promise<Answer> =>
      call(createModerationRule, {
        params: inPath,
        token,
        body: { name: 'Spam', words: ['free followers'], ...body },
      }),
    list: async (): Promise<Answer['body']> =>
      (await call(listModerationRules, { params: inPath, token })).body,
    update: (id: string, body: Body): Promise<Answer> =>
      call(updateModerationRule, { params: ofRule(id), token, body }),
    remove: (id: string): Promise<Answer> =>
      call(deleteModerationRule, { params: ofRule(id), token }),
  };
}
