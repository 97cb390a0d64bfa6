import { randomInt } from 'node:crypto';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import type { SocialLeads } from '#packages/sdk/src/index.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { photo, video } from './sample-media.ts';
import { ensure, until } from './step.ts';

type Member = {
  readonly client: SocialLeads;
  readonly inPath: { readonly organizationId: string };
};
type Account = { readonly id: string; readonly platform: Platform; readonly userId: string };

const waitSeconds = 40;
const text = 'The third engine is here, on all networks';
const thread = [{ content: 'It has 25,000 parts' }, { content: 'And it never gets tired' }];

/** The settings for each network, in addition to the common text and photo. */
const own = {
  FACEBOOK: { settings: { postType: 'FEED' }, firstComment: 'Prices are on our page' },
  INSTAGRAM: { settings: { postType: 'FEED' }, firstComment: 'Prices are in our bio' },
  TIKTOK: { settings: { privacyLevel: 'PUBLIC_TO_EVERYONE', allowComments: true } },
  TWITTER: { settings: { replySettings: 'following' }, thread },
  LINKEDIN: { settings: { visibility: 'PUBLIC' }, firstComment: 'Prices are on our page' },
  YOUTUBE: {
    settings: { title: 'The third engine', privacyStatus: 'public', madeForKids: false },
    firstComment: 'Prices are on our page',
  },
} as const;
const withVideo: readonly Platform[] = ['TIKTOK', 'YOUTUBE'];

/** Connects an account on each network. */
export async function connectAll({ client }: Member, sandbox: string) {
  const accounts: Account[] = [];
  for (const platform of platforms) {
    const userId = `${Date.now()}${randomInt(1_000, 10_000)}`;
    const tokens = await sandboxClient(sandbox).network(platform).issueTokens({ userId });
    const { socialAccount } = await client.social.connectAccount({
      platform,
      platformUserId: userId,
      platformUserName: 'Engines',
      ...tokens,
    });
    accounts.push({ id: socialAccount.id, platform, userId });
  }

  return [platforms.join(', '), accounts] as const;
}

/** Uploads a photo and a video to the media library. */
export async function uploadMedia(member: Member) {
  const [photoId, videoId] = await Promise.all([
    upload(member, 'engine.jpg', 'image/jpeg', photo),
    upload(member, 'engine.mp4', 'video/mp4', video),
  ]);

  return ['a photo and a video are in the media library', { photoId, videoId }] as const;
}

async function upload(
  { client, inPath }: Member,
  fileName: string,
  contentType: string,
  bytes: Buffer,
) {
  const { media, upload: target } = await client.media.createUpload({
    ...inPath,
    fileName,
    contentType,
    bytes: bytes.length,
  });
  const sent = await fetch(target.url, {
    method: target.method,
    headers: { 'content-type': contentType },
    body: new Uint8Array(bytes),
  });
  ensure(sent.ok, `the upload of ${fileName} returned ${sent.status}`);
  const params = { ...inPath, mediaId: media.id };
  await client.media.completeUpload(params);
  await until(`${fileName} was not processed`, waitSeconds, async () => {
    const { media: current } = await client.media.get(params);
    ensure(current.status !== 'REJECTED', `${fileName} was rejected: ${current.failureReason}`);

    return current.status === 'READY' ? current : undefined;
  });

  return media.id;
}

type Media = { readonly photoId: string; readonly videoId: string };

/** Publishes one composition on all networks. */
export async function compose(
  { client, inPath }: Member,
  accounts: readonly Account[],
  { photoId, videoId }: Media,
) {
  const { group } = await client.content.createGroup({
    ...inPath,
    content: text,
    mediaIds: [photoId],
    targets: accounts.map(({ id, platform }) => ({
      socialAccountId: id,
      ...own[platform],
      ...(withVideo.includes(platform) ? { mediaIds: [videoId] } : {}),
    })),
  });
  const states = group.posts.map(({ platform, status }) => `${platform} ${status}`);

  return [states.join(', '), group.id] as const;
}

/** Waits for the networks that process videos, and checks all of them. */
export async function awaitComposition(
  { client, inPath }: Member,
  {
    accounts,
    groupId,
    sandbox,
  }: { accounts: readonly Account[]; groupId: string; sandbox: string },
  publishDue: () => Promise<void>,
) {
  const params = { ...inPath, groupId };
  const posts = await until('the composition was not published', waitSeconds, async () => {
    const { group } = await client.content.getGroup(params);
    const isDone = group.posts.every(
      ({ status, firstComment }) => status !== 'SCHEDULED' && firstComment?.status !== 'PENDING',
    );
    if (!isDone) {
      await publishDue();
    }

    return isDone ? group.posts : undefined;
  });
  for (const [index, post] of posts.entries()) {
    const { platform, status, failureReason, firstComment } = post;
    ensure(status === 'PUBLISHED', `the post on ${platform} is ${status}: ${failureReason}`);
    ensure(
      firstComment === null || firstComment.status === 'SENT',
      `the first comment on ${platform} is ${firstComment?.status}`,
    );
    const network = sandboxClient(sandbox).network(platform);
    const shown = (await network.posts(accounts[index]?.userId)).map((there) => there.text);
    const expected = [text, ...post.thread.map(({ content }) => content)];
    ensure(
      expected.every((part) => shown.filter((there) => there === part).length === 1),
      `${platform} shows ${JSON.stringify(shown)}`,
    );
  }

  return [`"${text}" is on ${posts.length} networks, with a thread on X`, undefined] as const;
}
