import { cutToLength } from '#lib/platform/characters.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { MediaType } from '#lib/vendors/networks/media-type.ts';
import { mediaTimeoutMs, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

export const handleSchema = z.object({
  /** One container per media file of a carousel, in order. */
  childIds: z.array(z.string()).readonly().optional(),
  /** The container that is published. */
  containerId: z.string().optional(),
});

/** Instagram accepts alternative texts for images only. */
const maxAltTextLength = 1_000;

const created = z.object({ id: z.string() });
const containerState = z.object({ status_code: z.string(), status: z.string().optional() });

export function mediaFields(
  url: string,
  type: MediaType | undefined,
  videoType: 'REELS' | 'VIDEO',
  altText: string | undefined,
): Readonly<Record<string, string>> {
  if (type === 'VIDEO') {
    return { video_url: url, media_type: videoType };
  }

  return {
    image_url: url,
    ...(altText ? { alt_text: cutToLength(altText, maxAltTextLength) } : {}),
  };
}

/** Stories accept neither a caption nor an alternative text. */
export function storyFields(
  url: string,
  type: MediaType | undefined,
): Readonly<Record<string, string>> {
  return {
    media_type: 'STORIES',
    ...(type === 'VIDEO' ? { video_url: url } : { image_url: url }),
  };
}

export async function createContainer(
  credentials: Credentials,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'media'),
    form,
    isHarmless: true,
    timeoutMs: mediaTimeoutMs(),
  });

  return readAnswer(platform, created, answer).id;
}

/** @throws NetworkError `refused` if Instagram could not process the media. */
export async function stateOf(credentials: Credentials, containerId: string): Promise<string> {
  const { state, reason } = await readContainer(credentials, containerId);
  if (state === 'ERROR') {
    throw new NetworkError(platform, 'refused', { message: reason, code: state });
  }

  return state;
}

/** Returns a container's state: IN_PROGRESS, FINISHED, PUBLISHED, EXPIRED or ERROR. */
export async function readContainer(
  credentials: Credentials,
  containerId: string,
): Promise<{ readonly state: string; readonly reason: string }> {
  const answer = await call(credentials, {
    path: pathOf(containerId),
    query: { fields: 'status_code,status' },
  });
  const { status_code: state, status } = readAnswer(platform, containerState, answer);

  return { state, reason: status ?? `The container is ${state}` };
}
