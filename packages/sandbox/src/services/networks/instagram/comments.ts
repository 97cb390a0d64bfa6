import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import {
  graphTime,
  parametersOf,
  rejectParameter,
  rejectUnknown,
  requireGrant,
  textOf,
} from '../meta/api.ts';
import { listAnswer } from '../meta/fields.ts';
import { instagramComment } from '../meta/node-types.ts';
import type { NetworkCall } from '../network-definition.ts';
import { addOwnComment, numericId, type SandboxComment } from '../network-world.ts';
import { countOf } from '../text-limits.ts';

const defaultPageSize = 25;

/** `GET /{media-id}/comments`: top-level comments, newest first. Replies only if requested. */
export function listComments(call: NetworkCall): SandboxAnswer {
  const [mediaId = ''] = call.parts;
  const { world, request } = call;
  const { userId } = requireGrant(call, 'instagram_business_manage_comments');

  if (world.posts.get(mediaId)?.userId !== userId) {
    return rejectUnknown('GET', mediaId);
  }

  const { query } = request;
  const all = [...world.comments.values()].filter((one) => one.postId === mediaId).reverse();
  const top = all.filter((one) => one.parentId === null);
  const from = Number(query.get('after') ?? 0);
  const next = from + Number(query.get('limit') ?? defaultPageSize);
  const data = top.slice(from, next).map((one) => {
    const replies = all.filter(({ parentId }) => parentId === one.id);

    return {
      ...describe(one),
      ...(replies.length > 0 ? { replies: { data: replies.map(describe) } } : {}),
    };
  });

  return listAnswer(request, instagramComment, {
    data,
    ...(top.length > next
      ? { paging: { cursors: { after: String(next) }, next: `${request.path}?after=${next}` } }
      : {}),
  });
}

/** `POST /{media-id}/comments`: comments on one of the account's own media. */
export function commentOnMedia(call: NetworkCall): SandboxAnswer {
  const [mediaId = ''] = call.parts;
  const { world } = call;
  const { userId } = requireGrant(call, 'instagram_business_manage_comments');

  if (world.posts.get(mediaId)?.userId !== userId) {
    return rejectUnknown('POST', mediaId);
  }

  const text = requireMessage(call);
  const id = numericId();
  addOwnComment(world, { id, userId, postId: mediaId, text });

  return jsonAnswer(200, { id });
}

/** Returns the text of a new comment. */
export function requireMessage({ request }: NetworkCall): string {
  const text =
    textOf(parametersOf(request), 'message') ??
    rejectParameter('The parameter message is required');
  const isAccepted =
    text.length <= 1_000 && countOf('hashtags', text) <= 30 && countOf('mentions', text) <= 5;

  return isAccepted
    ? text
    : rejectParameter('A comment has at most 1,000 characters, 30 hashtags and 5 mentions');
}

function describe({ id, text, at, from, parentId, isHidden }: SandboxComment) {
  return {
    id,
    text,
    timestamp: graphTime(at),
    from: { id: from.id, username: from.name },
    username: from.name,
    hidden: isHidden ?? false,
    ...(parentId === null ? {} : { parent_id: parentId }),
  };
}
