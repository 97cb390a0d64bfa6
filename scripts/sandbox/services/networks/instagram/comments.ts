import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { parametersOf, rejectParameter, rejectUnknown, requireGrant, textOf } from '../meta/api.ts';
import type { NetworkCall } from '../network-definition.ts';
import { addOwnComment, numericId, type SandboxComment } from '../network-world.ts';

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
  const fields = query.get('fields') ?? 'id,text,timestamp';
  const all = [...world.comments.values()].filter((one) => one.postId === mediaId).reverse();
  const top = all.filter((one) => one.parentId === null);
  const from = Number(query.get('after') ?? 0);
  const next = from + Number(query.get('limit') ?? defaultPageSize);
  const data = top.slice(from, next).map((one) => {
    const replies = all.filter(({ parentId }) => parentId === one.id);
    const shows = replies.length > 0 && fields.includes('replies{');

    return {
      ...describe(one, fields),
      ...(shows ? { replies: { data: replies.map((reply) => describe(reply, fields)) } } : {}),
    };
  });

  return jsonAnswer(200, {
    data,
    ...(top.length > next
      ? { paging: { cursors: { after: String(next) }, next: `${request.path}?after=${next}` } }
      : {}),
  });
}

/** `POST /{media-id}/comments`: comments on an own medium. */
export function commentOnMedia(call: NetworkCall): SandboxAnswer {
  const [mediaId = ''] = call.parts;
  const { world, request } = call;
  const { userId } = requireGrant(call, 'instagram_business_manage_comments');
  const text = textOf(parametersOf(request), 'message');

  if (world.posts.get(mediaId)?.userId !== userId) {
    return rejectUnknown('POST', mediaId);
  }

  if (text === undefined) {
    rejectParameter('The parameter message is required');
  }

  const id = numericId();
  addOwnComment(world, { id, userId, postId: mediaId, text });

  return jsonAnswer(200, { id });
}

function describe({ id, text, at, from, parentId }: SandboxComment, fields: string) {
  return {
    id,
    text,
    timestamp: at.replace(/\.\d+Z$/, '+0000'),
    ...(/\bfrom\b/.test(fields) ? { from: { id: from.id, username: from.name } } : {}),
    ...(parentId === null ? {} : { parent_id: parentId }),
  };
}
