import {
  emptyBody,
  id,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  publicText,
  text,
  timestamp,
  total,
  webUrl,
} from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import { maxVideoBytes } from './media-limits.ts';
import * as z from './zod.ts';

export const mediaId = id('0192f0c8-4e5f-7a6b-9c7d-8e9f0a1b2c3d');

const mediaKinds = ['IMAGE', 'VIDEO'] as const;
export type MediaKind = (typeof mediaKinds)[number];

const mediaStatuses = ['UPLOADING', 'PROCESSING', 'READY', 'REJECTED'] as const;
export type MediaStatus = (typeof mediaStatuses)[number];

/** The storage limit without a plan, or with a plan that has none. */
export const defaultMediaBytes = 1_000_000_000;
const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

const fileName = name({ max: 255, example: 'engine.jpg' });
const altText = publicText({ max: 1_500, example: 'A red engine on a stand' });
const contentType = text({ min: 3, max: 127, example: 'image/jpeg' })
  .refine((value) => /^[\w.+-]+\/[\w.+-]+$/.test(value), {
    error: 'must be a media type, such as image/jpeg',
  })
  .transform((value) => value.toLowerCase());
const kind = z.enum(mediaKinds).meta({ example: 'IMAGE' });
const status = z.enum(mediaStatuses).meta({ example: 'READY' });
const bytes = z.int().meta({ example: 482_113 });

const media = z
  .object({
    id: mediaId,
    kind: orNull(kind).meta({ description: 'Null until READY' }),
    status,
    failureReason: orNull(z.string().meta({ example: null })),
    fileName: z.string().meta({ example: 'engine.jpg' }),
    contentType: orNull(z.string().meta({ example: 'image/jpeg' })),
    bytes: orNull(bytes),
    width: orNull(z.int().meta({ example: 1_600 })),
    height: orNull(z.int().meta({ example: 1_200 })),
    durationSeconds: orNull(z.number().meta({ example: null })),
    altText: orNull(z.string().meta({ example: 'A red engine on a stand' })),
    url: orNull(
      z.string().meta({
        example: 'https://files.example.com/media/engine.jpg',
        description: 'Valid for an hour. Null until READY',
      }),
    ),
    createdById: id(),
    createdAt: timestamp(),
  })
  .meta({ id: 'Media' });

const usage = z
  .object({
    bytes: z.int().meta({ example: 482_113 }),
    limitBytes: z.int().meta({ example: defaultMediaBytes }),
    files: z.int().meta({ example: 1 }),
  })
  .meta({ id: 'MediaUsage', description: 'Usage by READY media' });

/** The message of the 409 for media that would exceed the plan's storage. */
export const mediaQuotaMessage = 'The media library has no room for this file';

export const mediaNotUploaded = 'The file has not been uploaded yet';
export const uploadCompleted = 'The upload was completed already';
export const mediaInUse = 'Draft or scheduled posts use this media';

export const createMediaUpload = contract({
  operationId: 'createMediaUpload',
  method: 'POST',
  path: '/media/{organization_id}/uploads',
  summary: 'Start the upload of an image or video',
  description: [
    'Send the file to `upload.url` with exactly the given method and headers, then complete the upload.',
    'Images can have up to 20 MB, videos up to 1 GB. The bytes decide the type: JPEG, PNG, WebP, GIF, MP4 and QuickTime are accepted, anything else becomes REJECTED.',
    'An upload that is not completed is deleted after a day.',
  ].join(' '),
  role: 'upload',
  access: writes,
  usesPlans: true,
  body: z.object({
    fileName,
    contentType,
    bytes: z.int().min(1).max(maxVideoBytes).meta({ example: 482_113 }),
  }),
  status: 201,
  response: z.object({
    media,
    upload: z.object({
      method: z.enum(['PUT']).meta({ example: 'PUT' }),
      url: z.string().meta({ example: 'https://files.example.com/uploads/1?signature=x' }),
      headers: z
        .record(z.string(), z.string())
        .meta({ example: { 'content-type': 'image/jpeg', 'content-length': '482113' } }),
      expiresAt: timestamp(),
    }),
  }),
  message: 'Upload started successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const completeMediaUpload = contract({
  operationId: 'completeMediaUpload',
  method: 'POST',
  path: '/media/{organization_id}/{media_id}/complete',
  summary: 'Complete an upload',
  description:
    'Starts the processing, which takes seconds. It checks type and length and removes location data. Completing an upload twice changes nothing.',
  role: 'upload',
  access: writes,
  body: emptyBody,
  response: z.object({ media }),
  message: 'Upload completed successfully',
  errors: ['MEDIA_NOT_FOUND', { code: 'WRONG_STATE', when: 'The file has not arrived.' }],
});

export const getMediaUpload = contract({
  operationId: 'getMediaUpload',
  path: '/media/{organization_id}/{media_id}/upload',
  summary: 'Get the missing parts of an upload',
  description:
    'For large files: instead of the whole file, PUT each part to its `url`, in any order, then complete the upload. After an interruption, call this again: parts that arrived are left out.',
  role: 'upload',
  access: writes,
  response: z.object({
    parts: z.array(
      z.object({
        offset: z.int().meta({ example: 0 }),
        bytes: z.int().meta({ example: 482_113 }),
        url: z.string().meta({ example: 'https://files.example.com/uploads/1/0?signature=x' }),
      }),
    ),
    total,
    expiresAt: timestamp(),
  }),
  message: 'Upload retrieved successfully',
  errors: ['MEDIA_NOT_FOUND', { code: 'WRONG_STATE', when: 'The upload was completed.' }],
});

export const createMediaFromUrl = contract({
  operationId: 'createMediaFromUrl',
  method: 'POST',
  path: '/media/{organization_id}/from-url',
  summary: 'Copy an image or video from a URL',
  description:
    'Fetches the file in the background, from a public https URL. Redirects are not followed.',
  role: 'upload',
  access: writes,
  usesPlans: true,
  body: z.object({
    url: webUrl.meta({ example: 'https://example.com/engine.jpg' }),
    altText: optional(altText),
  }),
  status: 201,
  response: z.object({ media }),
  message: 'Media created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listMedia = contract({
  operationId: 'listMedia',
  path: '/media/{organization_id}',
  summary: 'List media, newest first',
  tool: true,
  role: 'files',
  access: reads,
  usesPlans: true,
  query: z.object({ kind: kind.optional(), status: status.optional(), ...paginationQuery }),
  response: z.object({ mediaItems: z.array(media), usage, pagination }),
  message: 'Media retrieved successfully',
});

export const getMedia = contract({
  operationId: 'getMedia',
  path: '/media/{organization_id}/{media_id}',
  summary: 'Get a medium',
  role: 'files',
  access: reads,
  response: z.object({ media }),
  message: 'Media retrieved successfully',
  errors: ['MEDIA_NOT_FOUND'],
});

export const updateMedia = contract({
  operationId: 'updateMedia',
  method: 'PATCH',
  path: '/media/{organization_id}/{media_id}',
  summary: 'Update the file name or alternative text of a medium',
  description: 'The alternative text goes to the networks that accept one. Null removes it.',
  role: 'files',
  access: writes,
  body: z.object({ fileName: fileName.optional(), altText: altText.nullish() }),
  response: z.object({ media }),
  message: 'Media updated successfully',
  errors: ['MEDIA_NOT_FOUND'],
});

export const deleteMedia = contract({
  operationId: 'deleteMedia',
  method: 'DELETE',
  path: '/media/{organization_id}/{media_id}',
  summary: 'Delete a medium',
  description: 'Published posts keep it at the network.',
  role: 'sender',
  access: writes,
  message: 'Media deleted successfully',
  errors: [
    'MEDIA_NOT_FOUND',
    {
      code: 'IN_USE',
      when: 'Drafts or scheduled posts use it. `postIds` lists up to 100.',
    },
  ],
});
