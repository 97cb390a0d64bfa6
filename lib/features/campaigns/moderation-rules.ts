import { socialAccountNotFound } from '#lib/features/social/accounts/accounts.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { ExtraWrites } from '#lib/platform/db/write.ts';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import { normalizeKeywordText } from '#lib/platform/keyword-text.ts';
import { records } from '#lib/platform/records.ts';
import { listRecords, type SmallRecord } from '#lib/platform/small-record.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type {
  createModerationRule as createContract,
  updateModerationRule as updateContract,
} from '#schemas/moderation-rules.ts';
import { planCampaignsChange } from './keyword-claims.ts';

/** Defines which comments are hidden without an answer. */
export type ModerationRule = SmallRecord & {
  /** Empty: all accounts. */
  readonly socialAccountIds: readonly string[];
  readonly words: readonly string[];
  readonly links: boolean;
  readonly isActive: boolean;
  readonly hiddenCount: number;
};

const moderationRule = { resource: 'Moderation rule', kind: 'MODERATION_RULE' } as const;

const moderationRules = /* @__PURE__ */ records<ModerationRule>(moderationRule, {
  counter: 'MODERATION_RULES',
  quota: 'moderationRules',
});

/** Returns all moderation rules, newest first. */
export function listModerationRules(organizationId: string): Promise<readonly ModerationRule[]> {
  return listRecords(moderationRule, organizationId);
}

/** @throws 404 for an unknown account, 409 if the quota is used up. */
export async function createModerationRule(
  organizationId: string,
  details: BodyOf<typeof createContract>,
  extraWrites: ExtraWrites<ModerationRule>,
): Promise<ModerationRule> {
  await requireAccounts(organizationId, details.socialAccountIds);

  return moderationRules.create(organizationId, { ...details, hiddenCount: 0 }, extraWrites, () => [
    planCampaignsChange(organizationId),
  ]);
}

/** Returns the reasons why a rule would match nothing. */
export function matchingProblems({
  words,
  links,
}: Partial<Pick<ModerationRule, 'words' | 'links'>>): readonly string[] {
  if (words?.length === 0 && links === false) {
    return ['words should not be empty if links is false'];
  }

  return (words ?? []).flatMap((word, index) =>
    normalizeKeywordText(word) === '' ? [`words.${index} should not be empty`] : [],
  );
}

async function requireAccounts(
  organizationId: string,
  socialAccountIds: readonly string[] = [],
): Promise<void> {
  const accounts = await getMany(
    [...new Set(socialAccountIds)].map((id) => socialKeys.socialAccount(organizationId, id)),
  );
  if (accounts.includes(undefined)) {
    throw socialAccountNotFound();
  }
}

/** @throws 404; 400 if the rule would match nothing. */
export function updateModerationRule(
  organizationId: string,
  ruleId: string,
  patch: BodyOf<typeof updateContract>,
): Promise<ModerationRule> {
  return moderationRules.update(organizationId, ruleId, patch, {
    check: async ({ words, links, socialAccountIds }) => {
      rejectProblems(
        matchingProblems({ words: patch.words ?? words, links: patch.links ?? links }),
      );
      // Accounts of the rule may stay even if they have been disconnected.
      const added = patch.socialAccountIds?.filter((id) => !socialAccountIds.includes(id));
      await requireAccounts(organizationId, added);
    },
    plan: () => ({ writes: [planCampaignsChange(organizationId)] }),
  });
}

/** @throws 404 */
export function deleteModerationRule(organizationId: string, ruleId: string): Promise<void> {
  return moderationRules.remove(organizationId, ruleId, () => [
    planCampaignsChange(organizationId),
  ]);
}
