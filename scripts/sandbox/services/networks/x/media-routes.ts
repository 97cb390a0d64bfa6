import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { isoNow, type NetworkWorld, numericId, type SandboxMedia } from '../network-world.ts';
import { bodyOf, rejectInvalid, requireGrant } from './api.ts';

const maximumSegmentBytes = 5 * 1024 * 1024;

const initialization = z.object({
  media_type: z.string(),
  total_bytes: z.int().min(1),
  media_category: z.enum(['tweet_image', 'tweet_gif', 'tweet_video']),
});
const segment = z.object({ segment_index: z.int().min(0), media: z.base64() });
const details = z.object({ totalBytes: z.number(), sizes: z.record(z.string(), z.number()) });

/** Chunked media uploads: initialize, append, finalize and read the state. */
export const mediaRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/2\/media\/upload\/initialize$/, answer: initialize },
  { method: 'POST', path: /^\/2\/media\/upload\/([^/]+)\/append$/, answer: append },
  { method: 'POST', path: /^\/2\/media\/upload\/([^/]+)\/finalize$/, answer: finalize },
  { method: 'GET', path: /^\/2\/media\/upload$/, answer: readState },
];

function initialize(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'media.write');
  const parsed = initialization.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    rejectInvalid('media_type, total_bytes and media_category are required');
  }

  const { media_category: kind, total_bytes: totalBytes } = parsed.data;
  const id = numericId(19);
  keep(call.world, {
    id,
    userId,
    kind,
    state: 'uploading',
    at: isoNow(call.world),
    polls: 0,
    details: { totalBytes, sizes: {} },
  });

  return jsonAnswer(200, { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } });
}

function append(call: NetworkCall): SandboxAnswer {
  const media = requireMedia(call, call.parts[0] ?? '');
  const parsed = segment.safeParse(bodyOf(call.request));
  const bytes = Buffer.from(parsed.data?.media ?? '', 'base64').byteLength;

  if (!parsed.success || bytes === 0 || bytes > maximumSegmentBytes) {
    rejectInvalid('segment_index and media (at most 5 MB) are required');
  }

  const { totalBytes, sizes } = details.parse(media.details);
  keep(call.world, {
    ...media,
    details: { totalBytes, sizes: { ...sizes, [parsed.data.segment_index]: bytes } },
  });

  return jsonAnswer(200, { data: { expires_at: 0 } });
}

/** Completes an upload. Images are ready immediately, videos are processed first. */
function finalize(call: NetworkCall): SandboxAnswer {
  const media = requireMedia(call, call.parts[0] ?? '');
  const { totalBytes, sizes } = details.parse(media.details);
  const received = Object.values(sizes).reduce((sum, size) => sum + size, 0);

  if (received !== totalBytes) {
    rejectInvalid(`Media bytes received (${received}) do not match total_bytes (${totalBytes})`);
  }

  const finalized = { ...media, state: media.kind === 'tweet_video' ? 'pending' : 'succeeded' };
  keep(call.world, finalized);

  return jsonAnswer(200, { data: { ...described(finalized), size: totalBytes } });
}

/** A video is in progress on the first read, and ready from the second on. */
function readState(call: NetworkCall): SandboxAnswer {
  const { query } = call.request;
  const media = requireMedia(call, query.get('media_id') ?? '');

  if (query.get('command') !== 'STATUS') {
    rejectInvalid('command must be STATUS');
  }

  const state = media.polls > 0 ? 'succeeded' : 'in_progress';
  const polled = { ...media, state, polls: media.polls + 1 };
  keep(call.world, polled);

  return jsonAnswer(200, { data: described(polled) });
}

function described({ id, kind, state }: SandboxMedia) {
  const isVideo = kind === 'tweet_video';

  return {
    id,
    media_key: `3_${id}`,
    ...(isVideo
      ? {
          processing_info: {
            state,
            ...(state === 'succeeded' ? { progress_percent: 100 } : { check_after_secs: 1 }),
          },
        }
      : {}),
  };
}

function requireMedia(call: NetworkCall, id: string): SandboxMedia {
  const { userId } = requireGrant(call, 'media.write');
  const media = call.world.media.get(id);

  if (media?.userId !== userId) {
    return rejectInvalid(`Media ${id} does not exist or is not yours`);
  }

  return media;
}

function keep(world: NetworkWorld, media: SandboxMedia): void {
  world.media.set(media.id, media);
}

/** Requires that a post's media are ready and belong to the account. */
export function requireMediaIds(
  world: NetworkWorld,
  userId: string,
  ids: readonly string[],
): readonly string[] {
  const unusable = ids.find((id) => {
    const media = world.media.get(id);

    return media?.userId !== userId || media.state !== 'succeeded';
  });

  if (unusable !== undefined) {
    rejectInvalid('Your media IDs are invalid.');
  }

  if (ids.length > 1 && ids.some((id) => world.media.get(id)?.kind !== 'tweet_image')) {
    rejectInvalid('You may attach up to 4 photos, 1 animated GIF or 1 video in a Post.');
  }

  return ids;
}
