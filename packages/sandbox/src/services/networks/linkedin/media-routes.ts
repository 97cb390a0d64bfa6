import { createHash, randomUUID } from 'node:crypto';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { detailsOfBytes } from '../medium-details.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import { isoNow, type NetworkWorld, type SandboxMedia } from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import {
  bodyOf,
  organizationUrn,
  reject,
  rejectField,
  rejectUnknown,
  requireGrant,
  requireOrganization,
} from './api.ts';

/** LinkedIn splits videos into parts of 4 MiB. */
const partBytes = 4_194_304;

type Part = {
  readonly mediaId: string;
  readonly size: number | null;
  etag?: string;
  bytes?: Buffer;
  readonly contentType?: string;
};

const parts = perWorld(() => new Map<string, Part>());

export const mediaRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/rest\/(images|videos)$/, answer: act },
  { method: 'GET', path: /^\/rest\/(images|videos)\/([^/]+)$/, answer: readState },
  { method: 'PUT', path: /^\/dms-uploads\/([^/]+)$/, answer: receivePart },
];

function act(call: NetworkCall): SandboxAnswer {
  const [resource] = call.parts;
  const action = call.request.query.get('action');

  if (action === 'initializeUpload') {
    return initialize(call, resource === 'videos' ? 'video' : 'image');
  }

  if (action === 'finalizeUpload' && resource === 'videos') {
    return finalize(call);
  }

  return reject({ status: 400, code: 'ILLEGAL_ARGUMENT', message: `No action ${action}` });
}

function initialize(call: NetworkCall, kind: 'image' | 'video'): SandboxAnswer {
  const { world } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const request = bodyOf(call.request).initializeUploadRequest as
    | { readonly owner?: string; readonly fileSizeBytes?: number }
    | undefined;
  const userId = requireOrganization(grant, request?.owner, 'owner');
  const id = `urn:li:${kind}:${randomUUID().replaceAll('-', '')}`;
  const size = request?.fileSizeBytes ?? 0;

  if (kind === 'video' && size < 1) {
    rejectField('fileSizeBytes');
  }

  world.media.set(id, {
    id,
    userId,
    kind,
    state: 'WAITING_UPLOAD',
    at: isoNow(world),
    polls: 0,
    details: {},
  });
  const uploadUrlExpiresAt = world.clock().getTime() + 86_400_000;

  if (kind === 'image') {
    const uploadUrl = openPart(call, { mediaId: id, size: null });

    return jsonAnswer(200, { value: { uploadUrlExpiresAt, uploadUrl, image: id } });
  }

  const uploadInstructions = Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => {
    const firstByte = index * partBytes;
    const lastByte = Math.min(size, firstByte + partBytes) - 1;
    const uploadUrl = openPart(call, { mediaId: id, size: lastByte - firstByte + 1 });

    return { uploadUrl, firstByte, lastByte };
  });

  return jsonAnswer(200, {
    value: {
      uploadUrlsExpireAt: uploadUrlExpiresAt,
      video: id,
      uploadInstructions,
      uploadToken: '',
    },
  });
}

function openPart({ world, request }: NetworkCall, part: Part): string {
  const id = randomUUID();
  parts(world).set(id, part);

  return `http://${request.headers.host}/linkedin/dms-uploads/${id}`;
}

function receivePart({ world, request, parts: [id = ''] }: NetworkCall): SandboxAnswer {
  const part = parts(world).get(id);

  if (part === undefined) {
    return { status: 404, body: '' };
  }

  if (request.bytes.length === 0 || (part.size !== null && part.size !== request.bytes.length)) {
    return { status: 400, body: '' };
  }

  const etag = createHash('sha256').update(request.bytes).digest('hex').slice(0, 32);
  const contentType = request.headers['content-type'] ?? '';
  parts(world).set(id, { ...part, etag, bytes: request.bytes, contentType });

  if (part.size === null) {
    finish(world, part.mediaId);
  }

  return { status: 201, headers: { etag: `"${etag}"` }, body: '' };
}

function finalize(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, 'w_organization_social');
  const requested = bodyOf(request).finalizeUploadRequest as
    | { readonly video?: string; readonly uploadedPartIds?: readonly string[] }
    | undefined;
  const video = world.media.get(requested?.video ?? '');

  if (video === undefined) {
    return rejectUnknown(requested?.video ?? 'video');
  }

  requireOrganization(grant, organizationUrn(video.userId), 'owner');
  const etags = partsOf(world, video.id).map(({ etag }) => etag);

  if (JSON.stringify(etags) !== JSON.stringify(requested?.uploadedPartIds)) {
    reject({ status: 400, code: 'INVALID_PARTS', message: 'Parts are missing or out of order' });
  }

  finish(world, video.id);

  return jsonAnswer(200, {});
}

function partsOf(world: NetworkWorld, mediaId: string): readonly Part[] {
  return [...parts(world).values()].filter((part) => part.mediaId === mediaId);
}

/** Finishes an upload. Processing fails for bytes that begin with "corrupt". */
function finish(world: NetworkWorld, id: string): void {
  const medium = world.media.get(id);
  const bytes = Buffer.concat(partsOf(world, id).map((part) => part.bytes ?? Buffer.alloc(0)));

  if (medium !== undefined) {
    const isCorrupt = bytes.subarray(0, 7).toString() === 'corrupt';
    const state = isCorrupt ? 'PROCESSING_FAILED' : 'PROCESSING';
    const [first] = partsOf(world, id);
    const details = detailsOfBytes(bytes, first?.contentType);
    world.media.set(id, { ...medium, state, details });
  }
}

/** An image is available on the first read, a video on the second. */
function readState(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'r_organization_social');
  const [, id = ''] = call.parts;
  const known = call.world.media.get(id);

  if (known === undefined) {
    return rejectUnknown(id);
  }

  requireOrganization(grant, organizationUrn(known.userId), 'owner');
  const polls = known.polls + 1;
  const medium: SandboxMedia = { ...known, polls, state: stateAfter(known, polls) };
  call.world.media.set(id, medium);

  return jsonAnswer(200, {
    id,
    owner: organizationUrn(medium.userId),
    status: medium.state,
    ...(medium.state === 'PROCESSING_FAILED'
      ? { processingFailureReason: 'The file could not be read' }
      : {}),
  });
}

function stateAfter({ kind, state }: SandboxMedia, polls: number): string {
  const readsUntilAvailable = kind === 'video' ? 2 : 1;

  return state === 'PROCESSING' && polls >= readsUntilAvailable ? 'AVAILABLE' : state;
}
