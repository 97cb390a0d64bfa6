import type { SandboxAnswer } from '../../../frame/service.ts';
import {
  graphPage,
  graphPath,
  graphTime,
  rejectParameter,
  rejectUnknown,
  requireGrant,
} from '../meta/api.ts';
import { listAnswer, nodeAnswer } from '../meta/fields.ts';
import { readMessage } from '../meta/messages.ts';
import {
  insight,
  instagramAccount,
  instagramContainer,
  instagramMedia,
  instagramProfile,
} from '../meta/node-types.ts';
import { readProfile } from '../meta/profile.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { metricOf, type NetworkWorld, postsOf, type SandboxPost } from '../network-world.ts';
import { describeAccount, requireOwnAccount } from './account-routes.ts';
import { commentOnMedia, listComments } from './comments.ts';
import {
  createContainer,
  publishContainer,
  readContainer,
  readQuota,
  requireContainer,
} from './containers.ts';

const insightsScope = 'instagram_business_manage_insights';

/** Containers, published media and their metrics. */
export const publishingRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: graphPath('/([^/]+)/media'), answer: createContainer },
  { method: 'GET', path: graphPath('/([^/]+)/media'), answer: listMedia },
  { method: 'GET', path: graphPath('/([^/]+)/stories'), answer: listStories },
  { method: 'POST', path: graphPath('/([^/]+)/media_publish'), answer: publishContainer },
  { method: 'GET', path: graphPath('/([^/]+)/content_publishing_limit'), answer: readQuota },
  { method: 'GET', path: graphPath('/([^/]+)/insights'), answer: readInsights },
  { method: 'GET', path: graphPath('/([^/]+)/comments'), answer: listComments },
  { method: 'POST', path: graphPath('/([^/]+)/comments'), answer: commentOnMedia },
  { method: 'GET', path: graphPath('/([^/]+)'), answer: readObject },
  { method: 'DELETE', path: graphPath('/([^/]+)'), answer: rejectDeletion },
];

function listMedia(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { userId } = requireOwnAccount(call, 'instagram_business_basic');
  const { username } = describeAccount(call, userId);
  const posts = postsOf(world, userId).filter((post) => !isStory(post));
  const { items, paging } = graphPage(posts, request);
  const data = items.map((post) => ({
    ...describeMedia(post),
    username,
    comments_count: [...world.comments.values()].filter((one) => one.postId === post.id).length,
  }));

  return listAnswer(request, instagramMedia, { data, paging });
}

function isStory({ settings }: SandboxPost): boolean {
  return settings?.postType === 'STORY';
}

/** Stories of the last 24 hours. They have no caption. */
function listStories(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { userId } = requireOwnAccount(call, 'instagram_business_basic');
  const since = world.clock().getTime() - 86_400_000;
  const active = postsOf(world, userId).filter(
    (post) => isStory(post) && Date.parse(post.at) >= since,
  );
  const { items, paging } = graphPage(active, request);

  return listAnswer(request, instagramMedia, {
    data: items.map(describeMedia).map(({ caption: _, ...story }) => story),
    paging,
  });
}

function describeMedia(post: SandboxPost) {
  return {
    id: post.id,
    caption: post.text,
    permalink: post.url,
    timestamp: graphTime(post.at),
  };
}

/** `GET /{id}`: the account, a published medium or a container. */
function readObject(call: NetworkCall): SandboxAnswer {
  const [id = ''] = call.parts;
  const { world } = call;
  const { userId } = requireGrant(call, 'instagram_business_basic');
  const container = world.media.get(id);

  if (id === userId) {
    return nodeAnswer(call.request, instagramAccount, describeAccount(call, userId));
  }

  if (container !== undefined) {
    const owned = requireContainer(call, container);

    return nodeAnswer(call.request, instagramContainer, readContainer(world, owned));
  }

  return call.world.posts.has(id)
    ? nodeAnswer(call.request, instagramMedia, describeMedia(requireOwnMedia(call, userId)))
    : (readMessage(call, userId, 'instagram_business_manage_messages') ??
        readProfile(call, userId, instagramProfile));
}

function requireOwnMedia({ world, request, parts }: NetworkCall, userId: string): SandboxPost {
  const [id = ''] = parts;
  const post = world.posts.get(id);

  return post?.userId === userId ? post : rejectUnknown(request.method, id);
}

/** This host cannot delete media. Only graph.facebook.com deletes Instagram media. */
function rejectDeletion(call: NetworkCall): SandboxAnswer {
  const [id = ''] = call.parts;
  requireGrant(call);

  return rejectUnknown('DELETE', id);
}

function readInsights(call: NetworkCall): SandboxAnswer {
  const [id = ''] = call.parts;
  const { world, request } = call;
  const { userId } = requireGrant(call, insightsScope);
  const requested = (request.query.get('metric') ?? '').split(',');
  const metrics =
    id === userId ? accountMetrics(world, userId) : mediaMetrics(requireOwnMedia(call, userId));

  if (requested.some((name) => !Object.hasOwn(metrics, name))) {
    rejectParameter(`metric must be one of ${Object.keys(metrics).join(', ')}`);
  }

  const isTotal = request.query.get('metric_type') === 'total_value';

  return listAnswer(request, insight, {
    data: requested.map((name) => {
      const value = metrics[name];

      return { name, ...(isTotal ? { total_value: { value } } : { values: [{ value }] }) };
    }),
  });
}

function mediaMetrics(post: SandboxPost): Readonly<Record<string, number>> {
  const [likes, comments, shares, saved] = ['likes', 'comments', 'shares', 'saved'].map((name) =>
    metricOf(post, name),
  );

  return {
    views: metricOf(post, 'impressions'),
    reach: metricOf(post, 'reach'),
    saved: saved ?? 0,
    likes: likes ?? 0,
    comments: comments ?? 0,
    shares: shares ?? 0,
    total_interactions: (likes ?? 0) + (comments ?? 0) + (shares ?? 0) + (saved ?? 0),
  };
}

function accountMetrics(world: NetworkWorld, userId: string): Readonly<Record<string, number>> {
  const sum = (name: string) =>
    postsOf(world, userId).reduce((total, post) => total + metricOf(post, name), 0);

  return {
    reach: sum('reach'),
    follower_count: 0,
    likes: sum('likes'),
    views: sum('impressions'),
    comments: sum('comments'),
    shares: sum('shares'),
    saves: sum('saved'),
    replies: 0,
  };
}
