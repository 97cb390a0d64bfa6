import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  addCommentReply,
  addOwnComment,
  commentsOn,
  deleteComment,
  isoNow,
  markComment,
  type NetworkWorld,
  numericId,
  type SandboxComment,
} from '../network-world.ts';
import {
  bodyOf,
  created,
  listOf,
  memberUrn,
  organizationUrn,
  pageOf,
  reject,
  rejectField,
  rejectUnknown,
  requireGrant,
  requireOrganization,
} from './api.ts';
import { notificationsOf, recordComment } from './events.ts';

const maximumCommentLength = 1_250;
const subscriptionKey =
  /^\/rest\/eventSubscriptions\/\(developerApplication:([^,]+),user:([^,]+),entity:([^,]+),eventType:ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS\)$/;

/** Comments, subscriptions and notifications. */
export const commentRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/rest\/socialActions\/([^/]+)\/comments$/, answer: comment },
  { method: 'GET', path: /^\/rest\/socialActions\/([^/]+)\/comments$/, answer: listComments },
  {
    method: 'DELETE',
    path: /^\/rest\/socialActions\/([^/]+)\/comments\/([^/]+)$/,
    answer: removeComment,
  },
  { method: 'POST', path: /^\/rest\/reactions$/, answer: react },
  {
    method: 'DELETE',
    path: /^\/rest\/reactions\/\(actor:([^,]+),entity:(.+)\)$/,
    answer: deleteReaction,
  },
  { method: 'PUT', path: subscriptionKey, answer: subscribe },
  { method: 'DELETE', path: subscriptionKey, answer: unsubscribe },
  {
    method: 'GET',
    path: /^\/rest\/organizationalEntityNotifications$/,
    answer: listNotifications,
  },
];

function comment(call: NetworkCall): SandboxAnswer {
  const { world, request, parts } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const { actor, object, message, parentComment } = bodyOf(request);
  const userId = requireOrganization(grant, actor, 'actor');
  const { text } = (message ?? {}) as { readonly text?: string };
  const [target = ''] = parts;

  if (typeof object !== 'string' || !text) {
    return rejectField(text ? 'object' : 'message');
  }

  if (text.length > maximumCommentLength) {
    reject({ status: 400, code: 'FIELD_LENGTH_TOO_LONG', message: '/message/text is too long' });
  }

  const answered = world.comments.get(target);
  const isInThread = !target.startsWith('urn:li:comment:') || parentComment === target;

  if (!isInThread || (answered === undefined && !world.posts.has(target))) {
    rejectUnknown(target);
  }

  const id = numericId(19);
  const urn = `urn:li:comment:(${object},${id})`;
  if (answered === undefined) {
    addOwnComment(world, { id: urn, userId, postId: target, text });
  } else {
    addCommentReply(world, { id: urn, userId, comment: answered, text });
  }
  recordComment(world, urn, undefined);

  return created(id, { id, $URN: urn, actor, object, message });
}

/** Lists the comments on a post. */
function listComments(call: NetworkCall): SandboxAnswer {
  const { world, request, parts } = call;
  requireGrant(call, 'r_organization_social');
  const [target = ''] = parts;
  const elements = commentsOn(world, target).map(({ id, from, text, at }) => ({
    id: id.split(',').at(-1)?.replace(')', ''),
    $URN: id,
    actor: from.id.startsWith('urn:') ? from.id : organizationUrn(from.id),
    object: target,
    message: { text },
    created: { time: Date.parse(at) },
  }));

  return pageOf(elements, request);
}

function removeComment(call: NetworkCall): SandboxAnswer {
  const { world, request, parts } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const userId = requireOrganization(grant, request.query.get('actor'), 'actor');
  const [thread = '', id = ''] = parts;
  deleteComment(world, requireComment(world, userId, `urn:li:comment:(${thread},${id})`));

  return { status: 204, body: '' };
}

/** Likes a comment. Each actor can have one reaction per object. */
function react(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const actor = request.query.get('actor');
  const userId = requireOrganization(grant, actor, 'actor');
  const { root, reactionType } = bodyOf(request);

  if (typeof root !== 'string' || reactionType !== 'LIKE') {
    return rejectField(typeof root === 'string' ? 'reactionType' : 'root');
  }

  const liked = requireComment(world, userId, root);

  if (liked.isLiked) {
    reject({ status: 409, code: 'DUPLICATE_ENTRY', message: 'The reaction exists already' });
  }

  markComment(world, liked, { isLiked: true });

  return created(`(actor:${actor},entity:${root})`, { reactionType, root });
}

function deleteReaction(call: NetworkCall): SandboxAnswer {
  const { world, parts } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const [actor = '', entity = ''] = parts;
  const liked = requireComment(world, requireOrganization(grant, actor, 'actor'), entity);

  if (!liked.isLiked) {
    rejectUnknown('the reaction');
  }

  markComment(world, liked, { isLiked: false });

  return { status: 204, body: '' };
}

/** Requires a comment on a post of the organization. */
function requireComment(world: NetworkWorld, userId: string, urn: string): SandboxComment {
  const found = world.comments.get(urn);

  return found?.userId === userId ? found : rejectUnknown(urn);
}

async function subscribe(call: NetworkCall): Promise<SandboxAnswer> {
  const { world, request } = call;
  const userId = requireSubscriber(call);
  const { webhook } = bodyOf(request);

  if (typeof webhook !== 'string' || !URL.canParse(webhook)) {
    return rejectField('webhook');
  }

  world.subscriptions.set(userId, {
    userId,
    fields: ['ORGANIZATION_SOCIAL_ACTION_NOTIFICATIONS'],
    callbackUrl: webhook,
    at: isoNow(world),
  });

  return jsonAnswer(200, {});
}

function unsubscribe(call: NetworkCall): SandboxAnswer {
  const userId = requireSubscriber(call);

  if (!call.world.subscriptions.delete(userId)) {
    rejectUnknown('the subscription');
  }

  return { status: 204, body: '' };
}

/** Requires that the key's app, member and organization match the token. */
function requireSubscriber(call: NetworkCall): string {
  const grant = requireGrant(call, 'rw_organization_admin');
  const [app, user, entity] = call.parts;

  const { appId } = call.world.app;

  // The key contains the app's number, never its client id.
  if (app !== `urn:li:developerApplication:${appId}` || user !== memberUrn(grant)) {
    reject({
      status: 403,
      code: 'ACCESS_DENIED',
      message: 'The app or the member does not match the token',
    });
  }

  return requireOrganization(grant, entity, 'entity');
}

function listNotifications(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, 'rw_organization_admin');
  const urn = request.query.get('organizationalEntity');
  const userId = requireOrganization(grant, urn, 'organizationalEntity');
  const range = /^\(start:(\d+)(?:,end:(\d+))?\)$/.exec(request.query.get('timeRange') ?? '');
  const [from, to] = [Number(range?.[1] ?? 0), Number(range?.[2] ?? Number.MAX_SAFE_INTEGER)];
  const actions = listOf(request.query.get('actions'));
  const found = notificationsOf(world).filter(
    (one) =>
      one.organizationalEntity === organizationUrn(userId) &&
      (actions.length === 0 || actions.includes(one.action)) &&
      one.lastModifiedAt >= from &&
      one.lastModifiedAt <= to,
  );

  return pageOf(found.toReversed(), request);
}
