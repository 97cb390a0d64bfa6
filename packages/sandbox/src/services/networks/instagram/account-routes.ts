import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import {
  graphPath,
  parametersOf,
  reject,
  rejectParameter,
  rejectUnknown,
  requireGrant,
  textOf,
} from '../meta/api.ts';
import { nodeAnswer } from '../meta/fields.ts';
import { type MessageLimits, sendMessage } from '../meta/messaging.ts';
import { instagramAccount } from '../meta/node-types.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  accountOf,
  addCommentReply,
  deleteComment,
  isoNow,
  markComment,
  numericId,
  postsOf,
  type SandboxComment,
} from '../network-world.ts';
import type { Grant } from '../token-store.ts';
import { requireMessage } from './comments.ts';
import { accessSeconds, isOldEnough, isShortLived } from './token-life.ts';

const messageLimits: MessageLimits = {
  maximum: 1_000,
  lengthOf: Buffer.byteLength,
  imageTypes: ['image/jpeg', 'image/png'],
};

/** Tokens, the account, messages, comments and subscriptions. */
export const accountRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/refresh_access_token$/, answer: extendToken },
  { method: 'GET', path: graphPath('/me'), answer: readMe },
  { method: 'POST', path: graphPath('/([^/]+)/subscribed_apps'), answer: subscribe },
  { method: 'DELETE', path: graphPath('/([^/]+)/subscribed_apps'), answer: unsubscribe },
  { method: 'POST', path: graphPath('/([^/]+)/messages'), answer: sendAccountMessage },
  { method: 'POST', path: graphPath('/([^/]+)/replies'), answer: answerComment },
  { method: 'POST', path: graphPath('/([^/]+)'), answer: hideComment },
  { method: 'DELETE', path: graphPath('/([^/]+)'), answer: removeComment },
];

/** Requires a valid token of the account in the path. */
export function requireOwnAccount(call: NetworkCall, scope: string): Grant {
  const [userId = ''] = call.parts;
  const grant = requireGrant(call, scope);

  return grant.userId === userId ? grant : rejectUnknown(call.request.method, userId);
}

function extendToken(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;

  if (request.query.get('grant_type') !== 'ig_refresh_token') {
    rejectParameter('Invalid grant_type');
  }

  const grant = requireGrant(call, 'instagram_business_basic');

  if (isShortLived(world, grant.accessToken)) {
    reject({ status: 400, code: 190, message: 'Only a long-lived token can be refreshed' });
  }

  if (!isOldEnough(grant, world.clock())) {
    reject({
      status: 400,
      code: 10,
      type: 'IGApiException',
      message: 'Application does not have permission for this action',
    });
  }

  const longer = world.tokens.extend(grant.accessToken, 'asNew');

  return jsonAnswer(200, {
    access_token: longer?.accessToken,
    token_type: 'bearer',
    expires_in: accessSeconds,
    permissions: grant.scopes.join(','),
  });
}

function readMe(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'instagram_business_basic');

  return nodeAnswer(call.request, instagramAccount, {
    ...describeAccount(call, userId),
    user_id: userId,
    // Differs from the id in webhooks, so a client that stores it cannot match events.
    id: `app-scoped-${userId}`,
    account_type: 'BUSINESS',
  });
}

/** Returns the fields of an account. */
export function describeAccount({ world }: NetworkCall, userId: string) {
  const { name, followers, avatarUrl } = accountOf(world, userId);

  return {
    id: userId,
    username: name.toLowerCase().replaceAll(/[^a-z0-9._]/g, '_'),
    name,
    followers_count: followers,
    media_count: postsOf(world, userId).length,
    ...(avatarUrl ? { profile_picture_url: avatarUrl } : {}),
  };
}

const fields = new Set([
  'comments',
  'live_comments',
  'mentions',
  'messages',
  'message_edit',
  'messaging_postbacks',
  'message_reactions',
]);

function subscribe(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { userId } = requireOwnAccount(call, 'instagram_business_basic');
  const requested = (textOf(parametersOf(request), 'subscribed_fields') ?? '').split(',');

  if (requested.some((field) => !fields.has(field))) {
    rejectParameter('Param subscribed_fields must be one of the known fields');
  }

  world.subscriptions.set(userId, {
    userId,
    fields: requested,
    callbackUrl: null,
    at: isoNow(world),
  });

  return jsonAnswer(200, { success: true });
}

function unsubscribe(call: NetworkCall): SandboxAnswer {
  const { userId } = requireOwnAccount(call, 'instagram_business_basic');
  call.world.subscriptions.delete(userId);

  return jsonAnswer(200, { success: true });
}

function sendAccountMessage(call: NetworkCall): Promise<SandboxAnswer> {
  const { userId } = requireOwnAccount(call, 'instagram_business_manage_messages');

  return sendMessage(call, userId, messageLimits);
}

/** Requires a comment on a medium of the token's account. */
function requireComment(call: NetworkCall): SandboxComment {
  const [commentId = ''] = call.parts;
  const { userId } = requireGrant(call, 'instagram_business_manage_comments');
  const comment = call.world.comments.get(commentId);

  if (comment === undefined || comment.userId !== userId) {
    return rejectUnknown(call.request.method, commentId);
  }

  return comment;
}

/** Hides a comment, or shows it again. */
function hideComment(call: NetworkCall): SandboxAnswer {
  const comment = requireComment(call);
  const hide = textOf(parametersOf(call.request), 'hide');

  if (hide !== 'true' && hide !== 'false') {
    return rejectParameter('The parameter hide is required');
  }

  markComment(call.world, comment, { isHidden: hide === 'true' });

  return jsonAnswer(200, { success: true });
}

function removeComment(call: NetworkCall): SandboxAnswer {
  deleteComment(call.world, requireComment(call));

  return jsonAnswer(200, { success: true });
}

/** Adds a reply to a comment. */
function answerComment(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const comment = requireComment(call);
  const text = requireMessage(call);
  const id = numericId();
  addCommentReply(world, { id, userId: comment.userId, comment, text });

  return jsonAnswer(200, { id });
}
