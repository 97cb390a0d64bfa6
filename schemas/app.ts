import { text } from './common.ts';
import { contract, notModified, openToAll, staticContract } from './contract.ts';
import * as z from './zod.ts';

/** The built web app: its page `index.html`, and the assets by their hashed names. */
export const appFolder = 'packages/web/dist';

const common = {
  method: 'GET',
  access: openToAll,
  envelope: 'raw',
  role: 'static',
} as const;

const page = {
  ...common,
  rateLimit: 'app',
  contentType: 'text/html; charset=utf-8',
  assets: [appFolder],
  usesWebsocket: true,
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
  otherResponses: [notModified],
} as const;

export const openHome = staticContract({
  ...common,
  operationId: 'openHome',
  area: 'app',
  path: '/',
  summary: 'Open the web app',
  rateLimit: 'app',
  status: 302,
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'A redirect to `/app`.', example: '' }),
});

export const getApp = contract({
  ...page,
  operationId: 'getApp',
  path: '/app',
  summary: 'View the web app',
  description:
    'The page that the links in emails open, unless the deployment has its own front end. It loads no third-party resources, except from Stripe if a publishable key is configured.',
});

export const getAppPage = contract({
  ...page,
  operationId: 'getAppPage',
  path: '/app/{page}',
  takesRestOfPath: true,
  summary: 'View a page of the web app',
  description: 'The same page as `/app`: the web app reads the address itself.',
  params: z.object({ page: text({ min: 1, max: 2_000, example: 'inbox' }) }),
});

export const getAppAsset = contract({
  ...common,
  operationId: 'getAppAsset',
  path: '/app/assets/{asset}',
  summary: 'Get an asset of the web app',
  description: 'Its name contains a hash of its content, so it can be cached permanently.',
  rateLimit: 'app',
  contentType: '*/*',
  assets: [appFolder],
  params: z.object({ asset: text({ min: 1, max: 100, example: 'main-QX3K7ZPD.js' }) }),
  response: z.object({}).meta({ description: 'The file.', example: '' }),
  otherResponses: [notModified],
  errors: ['ASSET_NOT_FOUND'],
});
