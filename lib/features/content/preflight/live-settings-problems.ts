import type { NewPost } from '#lib/features/content/new-post.ts';
import { readSettings } from '#lib/features/content/posts/post-settings.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';

/**
 * Returns a problem for each setting of a scheduled post that the network would reject for this
 * account now. An immediate post needs no check, because it is sent now. If the network does not
 * respond, the settings are checked again when publishing.
 */
export async function liveSettingsProblems(
  { scheduledAt, draft, settings: given }: NewPost,
  account: SocialAccount,
): Promise<readonly string[]> {
  const { settings } = readSettings(account.platform, given);
  const hasOptions = settings?.privacyLevel !== undefined;
  if (!hasOptions || !scheduledAt || draft || !account.isActive) {
    return [];
  }
  try {
    const problem = await withFreshToken(account, async (credentials) =>
      publishingOf(account.platform).findSettingsProblem?.(credentials, settings),
    );

    return problem === undefined ? [] : [problem];
  } catch (failure) {
    logger.info('The settings of a post were not checked at the network', {
      accountId: account.id,
      failure: describeFailure(failure),
    });

    return [];
  }
}
