import {
  dateRange,
  id,
  maxLength,
  name,
  optional,
  orNull,
  pagination,
  paginationQuery,
  queryBoolean,
  queryDate,
  text,
  timestamp,
  webUrl,
} from './common.ts';
import { contract, htmlPage, memberOfPath, notModified, openToAll } from './contract.ts';
import * as z from './zod.ts';

const organizationId = id('0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b');
const linkId = id('0192f0c5-4d5e-7687-98a9-6e7f80910213');

const title = name({ example: 'Our new engines' });
const description = text({ max: maxLength.description, example: 'All models, with prices' });
const url = webUrl.meta({ example: 'https://example.com/engines' });
const imageUrl = webUrl.meta({ example: 'https://example.com/engine.jpg' });
const buttonText = name({ max: 50, example: 'Have a look' });
const utm = name({ example: 'bio' });
const isActive = z.boolean().meta({ example: true });
const clicks = z.int().min(0).meta({ example: 12 });

const bioLink = z
  .object({
    id: linkId,
    organizationId,
    title,
    description: orNull(description),
    url,
    shortUrl: z.string().meta({ example: 'https://api.example.com/b/7hXk2Qp' }),
    imageUrl: orNull(imageUrl),
    buttonText: orNull(buttonText),
    utmSource: orNull(utm),
    utmMedium: orNull(utm),
    utmCampaign: orNull(utm),
    isActive,
    clickCount: clicks,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'BioLink' });

const reads = memberOfPath('VIEWER');
const writes = memberOfPath('MEMBER');

export const createBioLink = contract({
  operationId: 'createBioLink',
  method: 'POST',
  path: '/bio/{organization_id}/links',
  specified: true,
  summary: 'Create a bio link',
  description:
    'Returns a `shortUrl` that counts clicks and redirects to `url`. UTM parameters are added unless `url` already has them.',
  access: writes,
  body: z.object({
    title,
    description: optional(description),
    url,
    imageUrl: optional(imageUrl),
    buttonText: optional(buttonText),
    utmSource: optional(utm),
    utmMedium: optional(utm),
    utmCampaign: optional(utm),
    isActive: optional(isActive),
  }),
  status: 201,
  response: z.object({ bioLink }),
  message: 'Bio link created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listBioLinks = contract({
  operationId: 'listBioLinks',
  path: '/bio/{organization_id}/links',
  specified: true,
  summary: 'List bio links, newest first',
  access: reads,
  query: z.object({ isActive: queryBoolean.optional(), ...paginationQuery }),
  response: z.object({
    bioLinks: z.array(bioLink),
    pagination,
  }),
  message: 'Bio links retrieved successfully',
});

export const updateBioLink = contract({
  operationId: 'updateBioLink',
  method: 'PATCH',
  path: '/bio/{organization_id}/links/{link_id}',
  specified: true,
  summary: 'Update a bio link',
  access: writes,
  body: z.object({
    title: title.optional(),
    description: description.nullish(),
    url: url.optional(),
    imageUrl: imageUrl.nullish(),
    buttonText: buttonText.nullish(),
    utmSource: utm.nullish(),
    utmMedium: utm.nullish(),
    utmCampaign: utm.nullish(),
    isActive: isActive.optional(),
  }),
  response: z.object({ bioLink }),
  message: 'Bio link updated successfully',
  errors: ['BIO_LINK_NOT_FOUND'],
});

export const deleteBioLink = contract({
  operationId: 'deleteBioLink',
  method: 'DELETE',
  path: '/bio/{organization_id}/links/{link_id}',
  specified: true,
  summary: 'Delete a bio link permanently',
  access: writes,
  message: 'Bio link deleted successfully',
  errors: ['BIO_LINK_NOT_FOUND'],
});

export const getBioLinkStats = contract({
  operationId: 'getBioLinkStats',
  path: '/bio/{organization_id}/links/{link_id}/stats',
  summary: 'Get click statistics of a bio link',
  description:
    'Returns clicks by day, country and referrer. Default: the last 30 days. Ranges can be up to 366 days, in UTC. Countries require a CDN that reports them. Clicks without a referrer, such as direct visits, are only in the daily counts.',
  access: reads,
  query: z.object(dateRange(queryDate, queryDate)),
  response: z.object({
    stats: z.object({
      linkId,
      dateRange: z.object({
        from: z.iso.date().meta({ example: '2026-01-01' }),
        to: z.iso.date().meta({ example: '2026-01-30' }),
      }),
      totalClicks: clicks,
      days: z.array(z.object({ date: z.iso.date().meta({ example: '2026-01-15' }), clicks })),
      countries: z.array(z.object({ country: z.string().meta({ example: 'GB' }), clicks })),
      referrers: z.array(
        z.object({ host: z.string().meta({ example: 'l.instagram.com' }), clicks }),
      ),
    }),
  }),
  message: 'Bio link stats retrieved successfully',
  errors: ['BIO_LINK_NOT_FOUND'],
});

export const getBioLinkQrCode = contract({
  operationId: 'getBioLinkQrCode',
  path: '/bio/{organization_id}/links/{link_id}/qr.svg',
  summary: 'Get the QR code of a bio link',
  access: reads,
  envelope: 'raw',
  contentType: 'image/svg+xml',
  response: z.object({}).meta({ description: 'The image.', example: '<svg></svg>' }),
  errors: ['BIO_LINK_NOT_FOUND'],
});

export const getBioPage = contract({
  operationId: 'getBioPage',
  path: '/bio/{organization_id}/page',
  summary: "View an organization's bio page",
  access: openToAll,
  rateLimit: 'publicPages',
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
  otherResponses: [
    htmlPage(404, 'The organization is unknown, or has no active link.'),
    notModified,
  ],
});

export const followBioLink = contract({
  operationId: 'followBioLink',
  area: 'bio',
  path: '/b/{code}',
  role: 'sender',
  summary: 'Follow a short link',
  description:
    'Redirects with a 302 and counts the click. A visitor of a bio link counts once per 30 minutes, and the customer of a personal link once. Bots, prefetches and HEAD requests do not count. Unknown, inactive and erased links return a 404 page.',
  access: openToAll,
  rateLimit: 'publicPages',
  params: z.object({ code: text({ min: 1, max: 8_192, example: '7hXk2Qp' }) }),
  status: 302,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'A redirect.', example: '' }),
  otherResponses: [htmlPage(404, 'The link is unknown, inactive or erased.')],
});
