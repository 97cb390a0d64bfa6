import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { isJpegAt } from '../image-at.ts';
import { detailsAt, type MediumDetails } from '../medium-details.ts';
import {
  parametersOf,
  reject,
  rejectParameter,
  rejectUnknown,
  requireGrant,
  structureOf,
  textOf,
} from '../meta/api.ts';
import { listAnswer } from '../meta/fields.ts';
import { publishingLimit } from '../meta/node-types.ts';
import type { NetworkCall } from '../network-definition.ts';
import {
  addPost,
  isoNow,
  type NetworkWorld,
  numericId,
  type SandboxMedia,
} from '../network-world.ts';
import { countOf } from '../text-limits.ts';
import { requireOwnAccount } from './account-routes.ts';

const publishScope = 'instagram_business_content_publish';
const maximumChildren = 10;
const maximumAltTextLength = 1_000;
const maximumCollaborators = 3;
const dayMs = 86_400_000;
/** The daily limit of an account. */
const dailyPosts = 100;
/** Simulates a file that Instagram cannot fetch or read. */
const broken = /broken/;

type Parts = {
  readonly urls: readonly string[];
  readonly isVideo: boolean;
  readonly isCarouselItem: boolean;
  readonly postType: 'FEED' | 'REEL' | 'STORY';
  /** Of the children. */
  readonly mediaDetails?: readonly MediumDetails[];
};

/** `POST /{ig-user-id}/media`: creates an unpublished container. */
export async function createContainer(call: NetworkCall): Promise<SandboxAnswer> {
  const { world, request } = call;
  const { userId } = requireOwnAccount(call, publishScope);
  const parameters = parametersOf(request);
  const caption = textOf(parameters, 'caption') ?? '';

  if (
    caption.length > 2_200 ||
    countOf('hashtags', caption) > 30 ||
    countOf('mentions', caption) > 20
  ) {
    reject({
      status: 400,
      code: 36004,
      subcode: 2207010,
      message:
        'The caption was too long. Maximum 2,200 characters, 30 hashtags, and 20 @ tags are allowed',
    });
  }

  const altText = textOf(parameters, 'alt_text');
  const { urls, isVideo, isCarouselItem, mediaDetails, postType } =
    textOf(parameters, 'media_type') === 'CAROUSEL'
      ? carouselParts(world, userId, structureOf(parameters, 'children'))
      : singleParts(parameters);
  const isStory = postType === 'STORY';
  if (altText !== undefined && (isVideo || isStory || altText.length > maximumAltTextLength)) {
    rejectParameter('Param alt_text must be a text of up to 1,000 characters, for an image');
  }

  if (isStory && caption !== '') {
    rejectParameter('Param caption is not supported for stories');
  }

  const settings = { postType, ...(await settingsOf(parameters, postType, isCarouselItem)) };
  await requireJpeg(textOf(parameters, 'image_url'));
  const id = numericId();
  world.media.set(id, {
    id,
    userId,
    kind: 'container',
    state: 'IN_PROGRESS',
    at: isoNow(world),
    polls: 0,
    details: {
      urls,
      isVideo,
      isCarouselItem,
      caption,
      settings,
      mediaDetails:
        mediaDetails ?? (await Promise.all(urls.map((url) => detailsAt(url, altText ?? null)))),
    },
  });

  return jsonAnswer(200, { id });
}

/** Returns the optional parameters. Rejects those that do not fit the type. */
async function settingsOf(
  parameters: Readonly<Record<string, unknown>>,
  postType: Parts['postType'],
  isCarouselItem: boolean,
) {
  const coverUrl = textOf(parameters, 'cover_url');
  const shareToFeed = textOf(parameters, 'share_to_feed');
  const collaborators = structureOf(parameters, 'collaborators');

  if ((coverUrl ?? shareToFeed) !== undefined && postType !== 'REEL') {
    rejectParameter('Params cover_url and share_to_feed are for reels');
  }

  if (collaborators !== undefined) {
    const isList = Array.isArray(collaborators) && collaborators.length <= maximumCollaborators;

    if (!isList || postType === 'STORY' || isCarouselItem) {
      rejectParameter('Param collaborators must be a list of up to 3 names, and not of a story');
    }
  }

  await requireJpeg(coverUrl);

  return {
    ...(shareToFeed === undefined ? {} : { share_to_feed: shareToFeed === 'true' }),
    ...(collaborators === undefined ? {} : { collaborators }),
    ...(coverUrl === undefined ? {} : { cover: await detailsAt(coverUrl) }),
  };
}

/** JPEG is the only image format that Instagram accepts. */
async function requireJpeg(imageUrl: string | undefined): Promise<void> {
  if (imageUrl !== undefined && !(await isJpegAt(imageUrl))) {
    reject({
      status: 400,
      code: 36001,
      subcode: 2207005,
      message: 'The image format is not supported. Supported formats are: JPEG',
    });
  }
}

function singleParts(parameters: Readonly<Record<string, unknown>>): Parts {
  const imageUrl = textOf(parameters, 'image_url');
  const videoUrl = textOf(parameters, 'video_url');
  const type = textOf(parameters, 'media_type');
  const isCarouselItem = String(parameters.is_carousel_item) === 'true';
  const url = imageUrl ?? videoUrl;

  if (url === undefined || !URL.canParse(url)) {
    return reject({
      status: 400,
      code: 100,
      subcode: 2207003,
      message: 'The image_url or video_url is missing or not a URL',
    });
  }

  const isStory = type === 'STORIES' && !isCarouselItem;
  if (videoUrl !== undefined && !isStory && type !== (isCarouselItem ? 'VIDEO' : 'REELS')) {
    rejectParameter('Param media_type must be one of REELS, STORIES, or VIDEO in a carousel');
  }

  const isReel = videoUrl !== undefined && !isCarouselItem;
  const postType = isStory ? 'STORY' : isReel ? 'REEL' : 'FEED';

  return { urls: [url], isVideo: videoUrl !== undefined, isCarouselItem, postType };
}

function carouselParts(world: NetworkWorld, userId: string, children: unknown): Parts {
  const ids = Array.isArray(children) ? children.map(String) : [];

  if (ids.length < 2 || ids.length > maximumChildren) {
    rejectParameter(`A carousel has 2 to ${maximumChildren} children`);
  }

  const items = ids.map((id) => {
    const child = world.media.get(id);

    if (child?.userId !== userId || child.details.isCarouselItem !== true) {
      return rejectUnknown('POST', id);
    }

    if (nextState(world, child) !== 'FINISHED') {
      return rejectNotReady();
    }

    return child;
  });

  return {
    urls: items.map((child) => urlsOf(child)[0] ?? ''),
    mediaDetails: items.flatMap(detailsOf),
    isVideo: false,
    isCarouselItem: false,
    postType: 'FEED',
  };
}

function urlsOf(container: SandboxMedia): readonly string[] {
  const { urls } = container.details;

  return Array.isArray(urls) ? urls.map(String) : [];
}

function detailsOf(container: SandboxMedia): readonly MediumDetails[] {
  return container.details.mediaDetails as readonly MediumDetails[];
}

function rejectNotReady(): never {
  return reject({
    status: 400,
    code: 9007,
    subcode: 2207027,
    message: 'The media is not ready for publishing, please wait for a moment',
  });
}

/** An image is ready on the first read, a video on the second. */
export function readContainer(world: NetworkWorld, container: SandboxMedia) {
  const state = nextState(world, container);
  world.media.set(container.id, { ...container, state, polls: container.polls + 1 });

  return {
    id: container.id,
    status_code: state,
    status: state === 'ERROR' ? 'Error: Media upload has failed with error code 2207052' : state,
  };
}

function nextState(world: NetworkWorld, container: SandboxMedia): string {
  const { state, at, polls, details } = container;

  if (state === 'PUBLISHED' || state === 'ERROR') {
    return state;
  }

  if (world.clock().getTime() - Date.parse(at) > dayMs) {
    return 'EXPIRED';
  }

  if (urlsOf(container).some((url) => broken.test(url))) {
    return 'ERROR';
  }

  return state === 'IN_PROGRESS' && details.isVideo === true && polls === 0
    ? 'IN_PROGRESS'
    : 'FINISHED';
}

/** `POST /{ig-user-id}/media_publish`: works once per container, up to the daily limit. */
export function publishContainer(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const { userId } = requireOwnAccount(call, publishScope);
  const containerId = textOf(parametersOf(request), 'creation_id') ?? '';
  const container = world.media.get(containerId);

  if (container?.userId !== userId || container.kind !== 'container') {
    return rejectUnknown('POST', containerId);
  }

  if (container.state === 'PUBLISHED') {
    rejectParameter('The media has already been published');
  }

  if (nextState(world, container) !== 'FINISHED' || container.details.isCarouselItem === true) {
    rejectNotReady();
  }

  if (world.rates.take(quotaKey(userId), dailyPosts, dayMs).isExceeded) {
    reject({
      status: 400,
      code: 9,
      subcode: 2207042,
      message:
        'You have reached the maximum number of posts that is allowed to be published by the API',
    });
  }

  const id = numericId();
  addPost(world, {
    id,
    userId,
    text: String(container.details.caption),
    media: urlsOf(container),
    mediaDetails: detailsOf(container),
    url: `https://www.instagram.com/p/${id}/`,
    settings: container.details.settings as Readonly<Record<string, unknown>>,
  });
  world.media.set(containerId, { ...container, state: 'PUBLISHED' });

  return jsonAnswer(200, { id });
}

/** `GET /{ig-user-id}/content_publishing_limit`. */
export function readQuota(call: NetworkCall): SandboxAnswer {
  const { userId } = requireOwnAccount(call, publishScope);
  const { used } = call.world.rates.peek(quotaKey(userId), dailyPosts, dayMs);

  return listAnswer(call.request, publishingLimit, {
    data: [
      { quota_usage: used, config: { quota_total: dailyPosts, quota_duration: dayMs / 1_000 } },
    ],
  });
}

function quotaKey(userId: string): string {
  return `posts of ${userId}`;
}

/** Requires a container of the token's account. */
export function requireContainer(call: NetworkCall, container: SandboxMedia): SandboxMedia {
  const { userId } = requireGrant(call, publishScope);

  return container.userId === userId ? container : rejectUnknown('GET', container.id);
}
