import { secondMs } from '#lib/platform/clock.ts';
import { mediaKindOf } from '#lib/vendors/networks/media-kind.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import { patienceMs } from '#lib/vendors/networks/meta/patience.ts';
import type { Credentials, Network, Publication } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callInstagram } from './call.ts';

const platform = 'INSTAGRAM';
const pollMs = 5 * secondMs;

/** What was made is too old: the next call makes it anew. */
const fromTheStart = { state: 'pending', handle: {}, retryAfterMs: 0 } as const;

/** What a publication has at the network so far. */
export const containerHandle = z.object({
  /** Of a carousel: one for each medium, in their order. */
  childIds: z.array(z.string()).readonly().optional(),
  /** What is published in the end. */
  containerId: z.string().optional(),
});

const created = z.object({ id: z.string() });
const containerState = z.object({ status_code: z.string(), status: z.string().optional() });

/**
 * Makes the container, and waits for Instagram to fetch the media into it. Nobody sees it; one that
 * is not published is gone after a day (M).
 */
export const prepareInstagramPost: Network['prepare'] = async (
  credentials,
  publication,
  handle = {},
) => {
  requireMedia(publication);
  const { childIds, containerId } = containerHandle.parse(handle);
  if (containerId !== undefined) {
    return settle(credentials, { childIds, containerId });
  }
  if (publication.mediaUrls.length === 1) {
    const [url = ''] = publication.mediaUrls;
    const id = await createContainer(credentials, {
      ...mediumOf(url, 'REELS'),
      caption: publication.text,
    });

    return settle(credentials, { containerId: id });
  }

  return prepareCarousel(credentials, publication, childIds);
};

function requireMedia({ mediaUrls }: Publication): void {
  if (mediaUrls.length === 0) {
    throw new NetworkError(platform, 'refused', { message: 'A post needs an image or a video' });
  }
}

/** The carousel can only be made of children that are finished. */
async function prepareCarousel(
  credentials: Credentials,
  publication: Publication,
  knownIds: readonly string[] | undefined,
): ReturnType<Network['prepare']> {
  const childIds =
    knownIds ??
    (await Promise.all(
      publication.mediaUrls.map((url) =>
        createContainer(credentials, { ...mediumOf(url, 'VIDEO'), is_carousel_item: 'true' }),
      ),
    ));
  const states = await Promise.all(childIds.map((id) => stateOf(credentials, id)));
  if (states.includes('EXPIRED')) {
    return fromTheStart;
  }
  if (states.includes('IN_PROGRESS')) {
    return { state: 'pending', handle: { childIds }, retryAfterMs: pollMs };
  }
  const containerId = await createContainer(credentials, {
    media_type: 'CAROUSEL',
    children: JSON.stringify(childIds),
    caption: publication.text,
  });

  return settle(credentials, { childIds, containerId });
}

async function settle(
  credentials: Credentials,
  handle: z.output<typeof containerHandle> & { readonly containerId: string },
): ReturnType<Network['prepare']> {
  const state = await stateOf(credentials, handle.containerId);
  if (state === 'EXPIRED') {
    return fromTheStart;
  }
  if (state === 'PUBLISHED') {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'The container was already published',
    });
  }

  return state === 'FINISHED'
    ? { state: 'ready', handle }
    : { state: 'pending', handle, retryAfterMs: pollMs };
}

function mediumOf(url: string, videoType: 'REELS' | 'VIDEO'): Readonly<Record<string, string>> {
  return mediaKindOf(url) === 'video'
    ? { video_url: url, media_type: videoType }
    : { image_url: url };
}

async function createContainer(
  credentials: Credentials,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await callInstagram(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'media'),
    form,
    isHarmless: true,
    timeoutMs: patienceMs(),
  });

  return readAnswer(platform, created, answer).id;
}

/** @throws NetworkError `refused` where Instagram could not make anything of the media. */
async function stateOf(credentials: Credentials, containerId: string): Promise<string> {
  const { state, reason } = await readContainer(credentials, containerId);
  if (state === 'ERROR') {
    throw new NetworkError(platform, 'refused', { message: reason, code: state });
  }

  return state;
}

/** Where a container stands: IN_PROGRESS, FINISHED, PUBLISHED, EXPIRED or ERROR. */
export async function readContainer(
  credentials: Credentials,
  containerId: string,
): Promise<{ readonly state: string; readonly reason: string }> {
  const answer = await callInstagram(credentials, {
    method: 'GET',
    path: pathOf(containerId),
    query: { fields: 'status_code,status' },
  });
  const { status_code: state, status } = readAnswer(platform, containerState, answer);

  return { state, reason: status ?? `The container is ${state}` };
}
