import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  accountOf,
  metricOf,
  type NetworkWorld,
  postsOf,
  type SandboxPost,
} from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import {
  only,
  pageOf,
  partsOf,
  reject,
  rejectParameter,
  requireGrant,
  scopes,
  valuesOf,
} from './api.ts';
import { titleOf } from './publishing-routes.ts';

const readers = [scopes.all, scopes.read];

/** Channels, their uploads and reports. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/youtube\/v3\/channels$/, answer: listChannels },
  { method: 'GET', path: /^\/youtube\/v3\/playlistItems$/, answer: listPlaylist },
  { method: 'GET', path: /^\/v2\/reports$/, answer: report },
];

/** Returns the channels of a token's user. */
function channelsOf(grant: Grant): readonly string[] {
  return grant.isPerson ? grant.pages.map(({ id }) => id) : [grant.userId];
}

function listChannels(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, readers);
  const parts = partsOf(request);
  const requested = valuesOf(request, 'id');
  const isMine = request.query.get('mine') === 'true';

  if (!isMine && requested.length === 0) {
    rejectParameter('No filter selected. Expected one of: mine, id');
  }

  const own = isMine ? channelsOf(grant) : requested.filter((id) => isKnown(world, grant, id));
  const items = own.map((id) => {
    const { name, followers, avatarUrl } = accountOf(world, id);
    const posts = postsOf(world, id);
    const views = posts.reduce((sum, post) => sum + metricOf(post, 'impressions'), 0);

    return {
      kind: 'youtube#channel',
      id,
      ...only(parts, {
        snippet: {
          title: name,
          description: '',
          ...(avatarUrl ? { thumbnails: { default: { url: avatarUrl } } } : {}),
        },
        contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsOf(id) } },
        statistics: {
          viewCount: String(views),
          subscriberCount: String(followers),
          hiddenSubscriberCount: false,
          videoCount: String(posts.length),
        },
      }),
    };
  });

  return jsonAnswer(200, { kind: 'youtube#channelListResponse', items });
}

function isKnown(world: NetworkWorld, grant: Grant, id: string): boolean {
  return channelsOf(grant).includes(id) || world.accounts.has(id);
}

function uploadsOf(channelId: string): string {
  return `UU-${channelId}`;
}

function listPlaylist(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  requireGrant(call, readers);
  const parts = partsOf(request);
  const playlistId = request.query.get('playlistId') ?? rejectParameter('playlistId');
  const channelId = [...world.accounts.keys()].find((id) => uploadsOf(id) === playlistId);

  if (channelId === undefined) {
    return reject({
      status: 404,
      reason: 'playlistNotFound',
      domain: 'youtube.playlistItem',
      message: 'The playlist identified with the playlistId parameter cannot be found.',
    });
  }

  const items = postsOf(world, channelId).map((post) => describeUpload(world, post, parts));

  return pageOf(items, request);
}

function describeUpload(world: NetworkWorld, post: SandboxPost, parts: ReadonlySet<string>) {
  return {
    kind: 'youtube#playlistItem',
    ...only(parts, {
      snippet: {
        publishedAt: post.at,
        channelId: post.userId,
        title: titleOf(world, post.id),
        description: post.text,
        resourceId: { kind: 'youtube#video', videoId: post.id },
      },
      status: { privacyStatus: world.media.get(post.id)?.details.privacyStatus },
    }),
  };
}

const reported: Readonly<Record<string, string>> = {
  views: 'impressions',
  likes: 'likes',
  comments: 'comments',
  shares: 'shares',
};

/**
 * Returns the metrics of a channel, or of each given video. Omits videos whose metrics are all 0.
 */
function report(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, [scopes.reports], {});
  const { query } = request;
  const channel = query.get('ids')?.replace('channel==', '') ?? '';
  const metrics = (query.get('metrics') ?? '').split(',');

  if (channel !== 'MINE' && !channelsOf(grant).includes(channel)) {
    reject({ status: 403, reason: 'forbidden', domain: 'global', message: 'Forbidden' });
  }

  const dimension = query.get('dimensions');

  if (dimension === 'ageGroup' || dimension === 'gender') {
    return demographics(call, channel, dimension);
  }

  const isByVideo = dimension === 'video';
  const needed = ['startDate', 'endDate', ...(isByVideo ? ['sort', 'maxResults'] : [])];

  if (
    metrics.some((name) => reported[name] === undefined) ||
    needed.some((name) => !query.has(name))
  ) {
    rejectQuery();
  }

  const named = query.get('filters')?.replace('video==', '').split(',');
  const ids = channel === 'MINE' ? channelsOf(grant) : [channel];
  const posts = ids
    .flatMap((id) => postsOf(world, id))
    .filter((post) => named?.includes(post.id) ?? true);
  const sum = (some: readonly SandboxPost[], name: string) =>
    some.reduce((total, post) => total + metricOf(post, reported[name] ?? ''), 0);
  const rows = isByVideo
    ? posts.map((post) => [post.id, ...metrics.map((name) => sum([post], name))])
    : [metrics.map((name) => sum(posts, name))];

  return jsonAnswer(200, {
    kind: 'youtubeAnalytics#resultTable',
    columnHeaders: [...(isByVideo ? ['video'] : []), ...metrics].map((name) => ({ name })),
    rows: rows.filter((row) => !isByVideo || row.slice(1).some((value) => value !== 0)),
  });
}

function rejectQuery(): never {
  reject({
    status: 400,
    reason: 'badRequest',
    domain: 'global',
    message: 'The query is not supported.',
  });
}

/**
 * Returns the viewers of one video by age group and gender, in percent. Supports no other metric.
 */
function demographics(
  { world, request: { query } }: NetworkCall,
  channel: string,
  dimension: 'ageGroup' | 'gender',
): SandboxAnswer {
  const videoId = query.get('filters')?.replace('video==', '') ?? '';
  const isComplete = ['startDate', 'endDate', 'filters'].every((name) => query.has(name));

  if (query.get('metrics') !== 'viewerPercentage' || !isComplete) {
    rejectQuery();
  }

  const post = world.posts.get(videoId);
  const isOwn = post !== undefined && (channel === 'MINE' || post.userId === channel);
  const known = isOwn ? world.demographics.get(videoId) : undefined;
  const shares = dimension === 'gender' ? known?.genders : known?.ageGroups;
  const prefix = dimension === 'gender' ? '' : 'age';

  return jsonAnswer(200, {
    kind: 'youtubeAnalytics#resultTable',
    columnHeaders: [{ name: dimension }, { name: 'viewerPercentage' }],
    rows: Object.entries(shares ?? {}).map(([name, share]) => [`${prefix}${name}`, share]),
  });
}
