import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer, SandboxRequest } from '../../../frame/service.ts';
import { detailsOfBytes, type MediumDetails } from '../medium-details.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { isoNow, type NetworkWorld, numericId, type SandboxMedia } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { bodyOf, rejectInvalid, requireGrant } from './api.ts';

const maximumSegmentBytes = 5 * 1024 * 1024;

const initialization = z.object({
  media_type: z.string(),
  total_bytes: z.int().min(1),
  media_category: z.enum(['tweet_image', 'tweet_gif', 'tweet_video']),
});
const segment = z.object({
  segment_index: z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]).refine(isIndex),
  media: z.union([
    z.instanceof(Buffer),
    z.base64().transform((text) => Buffer.from(text, 'base64')),
  ]),
});

function isIndex(index: number): boolean {
  return index >= 0 && index < 10_000;
}

const details = z.object({
  totalBytes: z.number(),
  contentType: z.string(),
  sizes: z.record(z.string(), z.number()),
});
const metadata = z.object({
  id: z.string(),
  metadata: z.object({ alt_text: z.object({ text: z.string().min(1).max(1_000) }) }),
});
/** The segments of an upload, by media id and index. */
const segments = perWorld(() => new Map<string, Buffer>());

/** Chunked media uploads: initialize, append, finalize and read the state. */
export const mediaRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/2\/media\/upload\/initialize$/, answer: initialize },
  { method: 'POST', path: /^\/2\/media\/upload\/([^/]+)\/append$/, answer: append },
  { method: 'POST', path: /^\/2\/media\/upload\/([^/]+)\/finalize$/, answer: finalize },
  { method: 'GET', path: /^\/2\/media\/upload$/, answer: readState },
  { method: 'POST', path: /^\/2\/media\/metadata$/, answer: setMetadata },
];

function initialize(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'media.write');
  const parsed = initialization.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    rejectInvalid('media_type, total_bytes and media_category are required');
  }

  const { media_category: kind, total_bytes: totalBytes, media_type: contentType } = parsed.data;
  const id = numericId(19);
  keep(call.world, {
    id,
    userId,
    kind,
    state: 'uploading',
    at: isoNow(call.world),
    polls: 0,
    details: { totalBytes, contentType, sizes: {} },
  });

  return jsonAnswer(200, { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } });
}

/** Receives a segment, either as a file in a form or as base64 in JSON. */
async function append(call: NetworkCall): Promise<SandboxAnswer> {
  const media = requireMedia(call, call.parts[0] ?? '');
  const parsed = segment.safeParse((await formOf(call.request)) ?? bodyOf(call.request));
  const bytes = parsed.data?.media.byteLength ?? 0;

  if (!parsed.success || bytes === 0 || bytes > maximumSegmentBytes) {
    rejectInvalid('segment_index and media (at most 5 MB) are required');
  }

  const known = details.parse(media.details);
  const { segment_index: index } = parsed.data;
  segments(call.world).set(`${media.id} ${index}`, parsed.data.media);
  keep(call.world, {
    ...media,
    details: { ...known, sizes: { ...known.sizes, [index]: bytes } },
  });

  return jsonAnswer(200, { data: { expires_at: 0 } });
}

/** Returns the fields of a multipart form. Empty if the body is not a form. */
async function formOf({ headers, bytes }: SandboxRequest) {
  const contentType = headers['content-type'] ?? '';

  if (!/^multipart\/form-data\b/i.test(contentType)) {
    return undefined;
  }
  const body = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
  const form = await body.formData().catch(() => rejectInvalid('The form cannot be read'));
  const fields = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()),
  ]);

  return Object.fromEntries(await Promise.all(fields)) as Readonly<Record<string, unknown>>;
}

/** Completes an upload. Images are ready immediately, videos are processed first. */
function finalize(call: NetworkCall): SandboxAnswer {
  const media = requireMedia(call, call.parts[0] ?? '');
  const { totalBytes, contentType, sizes } = details.parse(media.details);
  const received = Object.values(sizes).reduce((sum, size) => sum + size, 0);

  if (received !== totalBytes) {
    rejectInvalid(`Media bytes received (${received}) do not match total_bytes (${totalBytes})`);
  }

  const content = Buffer.concat(
    Object.keys(sizes).map((index) => takeSegment(call.world, `${media.id} ${index}`)),
  );
  const finalized = {
    ...media,
    state: media.kind === 'tweet_video' ? 'pending' : 'succeeded',
    details: { ...media.details, medium: detailsOfBytes(content, contentType) },
  };
  keep(call.world, finalized);

  return jsonAnswer(200, { data: { ...described(finalized), size: totalBytes } });
}

function takeSegment(world: NetworkWorld, name: string): Buffer {
  const content = segments(world).get(name) ?? Buffer.alloc(0);
  segments(world).delete(name);

  return content;
}

/** Sets the alternative text. X supports it for images and GIFs only. */
function setMetadata(call: NetworkCall): SandboxAnswer {
  const parsed = metadata.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    rejectInvalid('id and metadata.alt_text.text (1 to 1000 characters) are required');
  }

  const { id, metadata: given } = parsed.data;
  const media = requireMedia(call, id);

  if (media.kind === 'tweet_video' || media.state !== 'succeeded') {
    rejectInvalid('Metadata can only be set for uploaded images and GIFs');
  }

  const medium = { ...(media.details.medium as MediumDetails), altText: given.alt_text.text };
  keep(call.world, { ...media, details: { ...media.details, medium } });

  return jsonAnswer(200, { data: { id, associated_metadata: given } });
}

/** Returns the data that the network received for a post's media. */
export function mediaDetailsOf(
  world: NetworkWorld,
  ids: readonly string[],
): readonly MediumDetails[] {
  return ids.map((id) => ({ ...(world.media.get(id)?.details.medium as MediumDetails), url: id }));
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
