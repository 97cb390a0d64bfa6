import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { listNotifiedAddresses } from '#lib/features/organizations/members.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import type { Write } from '#lib/platform/db/write.ts';
import { postFailedMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import { findWebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';

/** Leaves room in the transaction for the other writes of the change. */
const maxMails = 20;

/**
 * Notifies the account's webhook receiver that a post was published or failed, and emails the
 * owners about failures.
 */
export async function planPostNotifications(post: ContentPost): Promise<readonly Write[]> {
  const [event, mails] = await Promise.all([planPostEvent(post), planFailureMails(post)]);

  return [...event, ...mails];
}

async function planPostEvent(post: ContentPost): Promise<readonly Write[]> {
  const { id, organizationId, targetAccountId: accountId, platform, content } = post;
  const isPublished = post.state === 'PUBLISHED';
  const common = { id, organizationId, socialAccountId: accountId, platform, content };

  const event = {
    type: isPublished ? 'content.published' : 'content.failed',
    data: isPublished
      ? {
          ...common,
          platformPostId: post.platformPostId,
          url: post.url ?? null,
          publishedAt: post.publishedAt,
        }
      : {
          ...common,
          scheduledAt: post.scheduledAt ?? null,
          failureCode: post.failureCode,
          failureReason: post.failureReason,
        },
  } as const;
  const [endpoint, ofOrganization] = await Promise.all([
    findWebhookEndpoint(organizationId, accountId),
    planOrganizationEvent(organizationId, event),
  ]);

  return [...planEvent(endpoint, event), ...ofOrganization];
}

async function planFailureMails(post: ContentPost): Promise<readonly Write[]> {
  if (post.state !== 'FAILED') {
    return [];
  }

  const { organizationId, platform, content, failureReason = '', failureCode } = post;
  const addresses = await listNotifiedAddresses(organizationId, 'postFailed');

  return Promise.all(
    addresses.slice(0, maxMails).map((to) =>
      planMail(
        organizationKeys.organization(organizationId),
        postFailedMail({
          to,
          platformName: platformNames[platform],
          content,
          reason: failureReason,
          isOutcomeUnknown: failureCode === 'OUTCOME_UNKNOWN',
        }),
      ),
    ),
  );
}
