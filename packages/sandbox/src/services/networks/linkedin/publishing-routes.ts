import type { SandboxAnswer } from '../../../frame/service.ts';
import type { MediumDetails } from '../medium-details.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  addPost,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxPost,
} from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import {
  bodyOf,
  created,
  organizationUrn,
  pageOf,
  reject,
  rejectField,
  rejectUnknown,
  requireGrant,
  requireOrganization,
} from './api.ts';

const dayMs = 86_400_000;
const postsADay = 150;
const maximumAltTextLength = 4_086;
const maximumLength = 3_000;
const reserved = '|{}@[]()<>#*_~';

/** The original `commentary` of each post. */
const commentaries = perWorld(() => new Map<string, string>());

export const publishingRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/rest\/posts$/, answer: publish },
  { method: 'GET', path: /^\/rest\/posts$/, answer: listPosts },
  { method: 'DELETE', path: /^\/rest\/posts\/([^/]+)$/, answer: deletePost },
];

function publish(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const { author, commentary, visibility, lifecycleState, distribution, content } = bodyOf(request);
  const userId = requireOrganization(grant, author, 'author');

  for (const [name, value] of Object.entries({ visibility, lifecycleState, distribution })) {
    if (value === undefined) {
      rejectField(name, 422);
    }
  }

  if (visibility !== 'PUBLIC' && visibility !== 'CONNECTIONS') {
    rejectField('visibility', 422);
  }

  if (typeof commentary !== 'string') {
    rejectField('commentary', 422);
  }

  const text = render(commentary);

  if (text.length > maximumLength) {
    reject({
      status: 422,
      code: 'FIELD_LENGTH_TOO_LONG',
      message: `ERROR :: /commentary :: length of ${text.length} exceeds ${maximumLength}`,
    });
  }

  const media = requireMedia(world, userId, content);
  const { isExceeded } = world.rates.take(`posts:${userId}`, postsADay, dayMs);

  if (isExceeded) {
    reject({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      message: 'Resource level throttle MEMBER DAY limit for calls to this resource is reached.',
    });
  }

  const id = `urn:li:share:${numericId(19)}`;
  const url = `https://www.linkedin.com/feed/update/${id}/`;
  addPost(world, {
    id,
    userId,
    text,
    media: media.map((one) => one.url ?? ''),
    mediaDetails: media,
    ...titleOf(content),
    url,
  });
  commentaries(world).set(id, commentary);

  return created(id);
}

/** Stores the text of a post that was created at LinkedIn itself, with its reserved characters. */
export function keepCommentary(world: NetworkWorld, { id, text }: SandboxPost): void {
  const escaped = [...text].map((one) => (`\\${reserved}`.includes(one) ? `\\${one}` : one));
  commentaries(world).set(id, escaped.join(''));
}

/** Lists posts by author, newest first. */
function listPosts(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'r_organization_social');
  const { query } = call.request;
  const userId = requireOrganization(grant, query.get('author'), 'author');

  if (query.get('q') !== 'author') {
    rejectField('q');
  }

  return pageOf(
    postsOf(call.world, userId).map((post) => describe(call.world, post)),
    call.request,
  );
}

function describe(world: NetworkWorld, post: SandboxPost) {
  const at = Date.parse(post.at);

  return {
    id: post.id,
    author: organizationUrn(post.userId),
    commentary: commentaries(world).get(post.id) ?? post.text,
    visibility: 'PUBLIC',
    lifecycleState: 'PUBLISHED',
    publishedAt: at,
    createdAt: at,
    lastModifiedAt: at,
  };
}

/** Idempotent: a missing post is not an error. */
function deletePost(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'w_organization_social');
  const [id = ''] = call.parts;
  const post = call.world.posts.get(id);

  if (post !== undefined) {
    requireOrganization(grant, organizationUrn(post.userId), 'author');
    call.world.posts.delete(id);
  }

  return { status: 204, body: '' };
}

const maximumTitleLength = 400;

function titleOf(content: unknown) {
  const { media } = (content ?? {}) as { readonly media?: { readonly title?: unknown } };

  if (media?.title === undefined) {
    return {};
  }

  if (typeof media.title !== 'string' || media.title.length > maximumTitleLength) {
    rejectField('content/media/title', 422);
  }

  return { settings: { title: media.title } };
}

type Attached = { readonly id?: string; readonly altText?: string };

function requireMedia(
  world: NetworkWorld,
  userId: string,
  content: unknown,
): readonly MediumDetails[] {
  const { media, multiImage } = (content ?? {}) as {
    readonly media?: Attached;
    readonly multiImage?: { readonly images?: readonly Attached[] };
  };

  return [...(media ? [media] : []), ...(multiImage?.images ?? [])].map(({ id = '', altText }) => {
    const uploaded = world.media.get(id);

    if (uploaded === undefined || uploaded.userId !== userId) {
      return rejectUnknown(id);
    }

    if (uploaded.state !== 'AVAILABLE') {
      reject({
        status: 400,
        code: 'MEDIA_ASSET_PROCESSING',
        message: `${id} is not available: its state is ${uploaded.state}`,
      });
    }

    if (altText !== undefined && altText.length > maximumAltTextLength) {
      rejectField('content/altText', 422);
    }

    return { ...(uploaded.details as MediumDetails), url: id, altText: altText ?? null };
  });
}

/**
 * Returns the visible text. LinkedIn accepts an unescaped reserved character, but cuts off the text
 * there.
 */
export function render(commentary: string): string {
  let text = '';

  for (let rest = commentary; rest !== ''; ) {
    const tag = /^\{hashtag\|\\#\|((?:\\.|[^}\\])+)\}/su.exec(rest);

    if (tag !== null) {
      text += `#${(tag[1] ?? '').replace(/\\(.)/gsu, '$1')}`;
      rest = rest.slice(tag[0].length);
    } else if (rest.startsWith('\\') && rest.length > 1) {
      text += rest.slice(1, 2);
      rest = rest.slice(2);
    } else if (reserved.includes(rest.slice(0, 1))) {
      return text;
    } else {
      text += rest.slice(0, 1);
      rest = rest.slice(1);
    }
  }

  return text;
}
