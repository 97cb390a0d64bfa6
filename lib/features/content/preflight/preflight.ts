import type { NewPost } from '#lib/features/content/new-post.ts';
import {
  type PostMedia,
  requireMediaOfPost,
  unreadyMediaProblems,
} from '#lib/features/content/posts/post-media.ts';
import {
  mediaProblems,
  type Draft as PostDraft,
  scheduleProblems,
  settingsProblems,
  storedMediaProblems,
  supportProblems,
  textProblems,
  threadMediaProblems,
} from '#lib/features/content/posts/post-rules.ts';
import { readSettings } from '#lib/features/content/posts/post-settings.ts';
import { keywordTaken, postKeywordKey } from '#lib/features/content/posts/post-writes.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { canRefresh } from '#lib/features/social/accounts/token-holder.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { get } from '#lib/platform/db/read.ts';
import { mediaContentProblem } from '#lib/vendors/networks/media-rules.ts';
import type { TokenFacts } from '#lib/vendors/networks/network.ts';
import { asAnswer, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import { accountTokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { missingCommentScopes, missingPublishingScopes } from '#lib/vendors/networks/scopes.ts';
import type { PreflightCheck } from '#schemas/content.ts';
import { quotaProblem } from './quota-problem.ts';

type Draft = Pick<
  NewPost,
  | 'socialAccountId'
  | 'platform'
  | 'content'
  | 'scheduledAt'
  | 'mediaUrls'
  | 'mediaIds'
  | 'firstComment'
  | 'thread'
  | 'settings'
  | 'keyword'
  | 'utmSource'
  | 'utmMedium'
  | 'utmCampaign'
>;
type Problems = Readonly<Partial<Record<PreflightCheck, string>>>;

/**
 * Runs the checks of a publication without publishing.
 *
 * @throws 404 for unknown media; 502 if the network does not respond.
 */
export async function preflight(account: SocialAccount, draft: Draft) {
  const stored = await requireMediaOfPost(account.organizationId, draft);
  const post = { ...draft, ...stored, mediaUrls: draft.mediaUrls ?? [] };
  const ofAccount = { ...post, platform: account.platform };
  const [network, keyword, media, [settings]] = await Promise.all([
    networkProblems(account, draft),
    keywordProblem(account.organizationId, draft),
    mediaProblem(post),
    settingsProblems(ofAccount),
  ]);
  const problems: Record<PreflightCheck, string | undefined> = {
    account: account.isActive ? undefined : 'socialAccountId must be an active social account',
    platform:
      draft.platform === account.platform
        ? supportProblems(post)[0]
        : `platform must match the social account's platform: ${account.platform}`,
    schedule: scheduleProblems(draft.scheduledAt)[0],
    text: textProblems(post)[0],
    media,
    settings: settings ?? network.settings,
    keyword,
    token: network.token,
    permissions: network.permissions,
    quota: network.quota,
  };
  const checks = (Object.entries(problems) as Array<[PreflightCheck, string | undefined]>).map(
    ([check, problem]) => ({ check, passed: problem === undefined, problem }),
  );

  return { isReady: checks.every(({ passed }) => passed), checks };
}

async function mediaProblem(post: PostDraft & PostMedia) {
  const unready = unreadyMediaProblems(post);
  if (unready.length > 0) {
    return unready[0];
  }
  const [problem] = [
    ...(await mediaProblems(post)),
    ...storedMediaProblems(post),
    ...(await threadMediaProblems(post)),
  ];

  return problem ?? mediaContentProblem(post.platform, post.mediaUrls);
}

async function keywordProblem(
  organizationId: string,
  { keyword }: Draft,
): Promise<string | undefined> {
  const claim = keyword ? await get(postKeywordKey(organizationId, keyword)) : undefined;

  return claim ? keywordTaken : undefined;
}

/**
 * Returns the reasons why the network would not accept posts of the account at that time.
 *
 * @throws NetworkError
 */
export async function problemsAtNetwork(
  account: SocialAccount,
  draft: Pick<Draft, 'scheduledAt' | 'settings' | 'firstComment'>,
): Promise<Problems> {
  const { scheduledAt, settings } = draft;
  const known = readSettings(account.platform, settings).settings ?? {};
  const network = publishingOf(account.platform);
  const [facts, quota = 'open', settingsProblem] = await withFreshToken(account, (credentials) =>
    Promise.all([
      accountTokensOf(account.platform).validateToken(credentials),
      network.fetchPublishingQuota?.(credentials),
      network.findSettingsProblem?.(credentials, known),
    ]),
  );
  const tooMuch = await quotaProblem(account, scheduledAt ?? timestamp(), quota);

  return {
    ...lifeProblem(account, facts, scheduledAt),
    ...scopeProblem(account, facts, draft),
    ...(tooMuch === undefined ? {} : { quota: tooMuch }),
    ...(settingsProblem === undefined ? {} : { settings: settingsProblem }),
  };
}

async function networkProblems(account: SocialAccount, draft: Draft): Promise<Problems> {
  try {
    return await problemsAtNetwork(account, draft);
  } catch (failure) {
    if (failure instanceof NetworkError && !failure.isTransient) {
      return failure.kind === 'scopeMissing'
        ? { permissions: failure.message }
        : { token: failure.message };
    }

    return asAnswer(Promise.reject(failure));
  }
}

/** A token that cannot be refreshed must stay valid until the post is due. */
function lifeProblem(
  account: SocialAccount,
  { expiresAt = account.tokenExpiresAt }: TokenFacts,
  scheduledAt: string | null | undefined,
): Problems {
  const endsBefore = expiresAt !== undefined && scheduledAt ? expiresAt <= scheduledAt : false;

  return endsBefore && !canRefresh(account)
    ? { token: `The token expires at ${expiresAt}, before the post is due` }
    : {};
}

function scopeProblem(
  { platform, permissions }: SocialAccount,
  { scopes = permissions }: TokenFacts,
  { firstComment }: Pick<Draft, 'firstComment'>,
): Problems {
  const [missing] = [
    ...missingPublishingScopes(platform, scopes),
    ...(firstComment ? missingCommentScopes(platform, scopes) : []),
  ];

  return missing === undefined
    ? {}
    : { permissions: `The token is missing the permission ${missing}` };
}
