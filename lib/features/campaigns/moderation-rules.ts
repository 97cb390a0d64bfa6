import { socialAccountNotFound } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Alongside,
  applied,
  ConditionNotMetError,
  change,
  create,
  remove,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { normalizeKeywordText } from '#lib/platform/keyword-text.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type {
  createModerationRule as createContract,
  updateModerationRule as updateContract,
} from '#schemas/moderation-rules.ts';
import { planCampaignsChange } from './keyword-claims.ts';

/** Which comments are hidden without an answer. */
export type ModerationRule = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** Empty: all accounts. */
  readonly socialAccountIds: readonly string[];
  readonly words: readonly string[];
  readonly links: boolean;
  readonly isActive: boolean;
  readonly hiddenCount: number;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

function counterOf(organizationId: string) {
  return keys.counter(organizationId, 'MODERATION_RULES');
}

/** @throws 400 if the rule matches nothing, 404 for an unknown account, 409 if the quota is used up. */
export async function createModerationRule(
  organizationId: string,
  details: BodyOf<typeof createContract>,
  alongside: Alongside<ModerationRule>,
): Promise<ModerationRule> {
  requireMatching(details);
  await requireAccounts(organizationId, details.socialAccountIds);
  const now = timestamp();
  const rule: ModerationRule = {
    ...details,
    id: newId(),
    organizationId,
    hiddenCount: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  await write(
    ...(await alongside(rule)),
    create(keys.moderationRule(organizationId, rule.id), rule),
    planQuotaUse(counterOf(organizationId), 'moderationRules'),
    planCampaignsChange(organizationId),
  );

  return rule;
}

function requireMatching({ words, links }: Pick<ModerationRule, 'words' | 'links'>): void {
  const empty = words.flatMap((word, index) =>
    normalizeKeywordText(word) === '' ? [`words.${index} should not be empty`] : [],
  );
  if (empty.length > 0) {
    throw badRequest(...empty);
  }
  if (words.length === 0 && !links) {
    throw badRequest('words should not be empty if links is false');
  }
}

async function requireAccounts(
  organizationId: string,
  socialAccountIds: readonly string[] = [],
): Promise<void> {
  const accounts = await getMany(
    [...new Set(socialAccountIds)].map((id) => keys.socialAccount(organizationId, id)),
  );
  if (accounts.includes(undefined)) {
    throw socialAccountNotFound();
  }
}

/** @throws 404 */
export async function requireModerationRule(
  organizationId: string,
  ruleId: string,
): Promise<ModerationRule> {
  const rule = await get<ModerationRule>(keys.moderationRule(organizationId, ruleId));

  return requireFound(rule, 'Moderation rule');
}

/** Returns all moderation rules, newest first. */
export function listModerationRules(organizationId: string): Promise<readonly ModerationRule[]> {
  return query<ModerationRule>(ranges.moderationRules(organizationId), { newestFirst: true });
}

/** @throws 404; 400 if the rule would match nothing. */
export function updateModerationRule(
  organizationId: string,
  ruleId: string,
  patch: BodyOf<typeof updateContract>,
): Promise<ModerationRule> {
  return retryWhenOvertaken('moderation rule', async () => {
    const before = await requireModerationRule(organizationId, ruleId);
    requireMatching({ words: patch.words ?? before.words, links: patch.links ?? before.links });
    // Accounts that were disconnected since may stay.
    const added = patch.socialAccountIds?.filter((id) => !before.socialAccountIds.includes(id));
    await requireAccounts(organizationId, added);
    if (!changesSomething(before, patch)) {
      return before;
    }
    const set = { ...patch, version: before.version + 1, updatedAt: timestamp() };
    const key = keys.moderationRule(organizationId, ruleId);
    await write(
      change(key, {
        set,
        when: equals('version', before.version),
        refused: (stored) =>
          stored ? new ConditionNotMetError(key, stored) : notFound('Moderation rule'),
      }),
      planCampaignsChange(organizationId),
    );

    return applied(before, set);
  });
}

/** @throws 404 */
export async function deleteModerationRule(organizationId: string, ruleId: string): Promise<void> {
  await retryWhenOvertaken('moderation rule', async () => {
    const { version } = await requireModerationRule(organizationId, ruleId);
    await write(
      remove(keys.moderationRule(organizationId, ruleId), { when: equals('version', version) }),
      planQuotaRelease(counterOf(organizationId)),
      planCampaignsChange(organizationId),
    );
  });
}
