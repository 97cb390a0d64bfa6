import { randomInt, randomUUID } from 'node:crypto';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { createContentPost, getContentPost } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call } from '#tests/support/api.ts';
import { connectedAccount } from '#tests/support/content.ts';
import { sandbox } from '#tests/support/mails.ts';
import { mediaAt } from '../../unit/vendors/networks/local-servers.ts';

export type ContentWorld = {
  readonly owner: Account;
  readonly organizationId: string;
  /** An account that exists in the network sandbox. */
  readonly account: SocialAccount;
  /** Calls an operation of the organization as its owner. */
  readonly ask: (contract: Contract, options?: Call) => Promise<Answer>;
  /** Creates a post with the account, and throws if it is rejected. */
  readonly newPost: (details?: Readonly<Record<string, unknown>>) => Promise<Answer['body']>;
  readonly readPost: (id: string) => Promise<Answer['body']>;
  /** Returns the texts that the network shows for the account. */
  readonly published: () => Promise<readonly string[]>;
};

/** Creates an organization with a Facebook page and no posts. */
export async function contentWorld(): Promise<ContentWorld> {
  const owner = await newAccount();
  const { organizationId } = owner;
  const account = await connectedAccount(organizationId);
  const ask = (contract: Contract, { params, ...options }: Call = {}) =>
    call(contract, {
      token: owner.token,
      params: { organization_id: organizationId, ...params },
      ...options,
    });
  const newPost = async (details: Readonly<Record<string, unknown>> = {}) => {
    const created = await ask(createContentPost, { body: { ...bodyFor(account), ...details } });
    if (created.status !== 201) {
      throw new Error(`Creating answered ${created.status}: ${JSON.stringify(created.body)}`);
    }

    return created.body.contentPost;
  };

  return {
    owner,
    organizationId,
    account,
    ask,
    newPost,
    readPost: async (id) =>
      (await ask(getContentPost, { params: { post_id: id } })).body.contentPost,
    published: async () =>
      (await sandbox.network(account.platform).posts(account.platformUserId)).map(
        ({ text }) => text,
      ),
  };
}

export function bodyFor({ id, platform }: SocialAccount) {
  return { socialAccountId: id, platform, content: `New engines ${randomUUID()}` };
}

/**
 * Creates an account on the network and a post for it: text only where the network supports that,
 * otherwise with the first supported kind of media.
 */
export async function bodyOn(platform: Platform, { organizationId }: ContentWorld) {
  const account = await connectedAccount(organizationId, {
    platform,
    platformUserId: `${Date.now()}${randomInt(1_000, 10_000)}`,
  });
  const { supports, media } = capabilities[platform];
  const mediaUrls = supports.textOnlyPost
    ? []
    : [
        media[0] === 'video' || platform === 'TIKTOK'
          ? await mediaAt('video/mp4', Buffer.alloc(2_000, 7))
          : 'https://example.com/engine.jpg',
      ];

  return { account, body: { ...bodyFor(account), mediaUrls } };
}
