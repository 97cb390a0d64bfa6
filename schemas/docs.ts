import { text } from './common.ts';
import { contract, openToAll, staticContract } from './contract.ts';
import * as z from './zod.ts';

/** Path of the OpenAPI document, and the files of the page by their name under `/docs/`. */
export const openapiFile = 'docs/openapi.json';
export const llmsFile = 'docs/llms.txt';
export const errorsFile = 'docs/errors.md';

/** The guides for API users, with their subjects. */
export const guides = {
  'agents.md': 'connect an AI agent to `POST /mcp`, with the Model Context Protocol',
  'api-keys.md': 'API keys, the TypeScript client, and metrics for Prometheus',
  'composing.md': 'publish one text on several accounts',
  'connecting-accounts.md': 'connect social accounts by OAuth or a link',
  'errors.md': 'every error code, what it means, and what to do about it',
  'forms.md': 'forms that create leads',
  'knowledge.md': 'what agents know, and the gaps that people fill',
  'live-updates.md': 'events over WebSockets',
  'media.md': 'upload images and videos',
  'platform.md': 'create and manage the organizations of your customers',
  'post-settings.md': 'settings of posts, by network',
  'privacy.md': 'what is stored about people, and how to export and erase it',
  'versions.md': 'what can change, and how that is announced',
} as const;
export const docsAssets = {
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt':
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'favicon-32x32.png': 'node_modules/swagger-ui-dist/favicon-32x32.png',
  'start.js': 'lib/features/docs/start-swagger-ui.js',
  ...guideFiles(),
} as const;

function guideFiles() {
  const files = Object.keys(guides).map((name) => [name, `docs/${name}`] as const);

  return Object.fromEntries(files) as Readonly<Record<keyof typeof guides, string>>;
}

export type DocsAssetName = keyof typeof docsAssets;

export const getOpenapi = contract({
  operationId: 'getOpenapi',
  area: 'docs',
  path: '/openapi.json',
  summary: 'Get this OpenAPI document',
  access: openToAll,
  rateLimit: 'documents',
  envelope: 'raw',
  contentType: 'application/json',
  role: 'static',
  assets: [openapiFile],
  response: z.looseObject({
    openapi: z.string().meta({ example: '3.1.1' }),
    info: z.looseObject({
      title: z.string().meta({ example: 'Social Leads' }),
      version: z.string().meta({ example: '1.0.0' }),
    }),
    paths: z.record(z.string(), z.unknown()).meta({ example: {} }),
  }),
});

export const getLlmsTxt = staticContract({
  operationId: 'getLlmsTxt',
  area: 'docs',
  path: '/llms.txt',
  summary: 'Get an introduction for AI agents',
  access: openToAll,
  rateLimit: 'publicPages',
  envelope: 'raw',
  contentType: 'text/plain; charset=utf-8',
  role: 'static',
  assets: [llmsFile],
  response: z.object({}).meta({
    description: 'Introduces the service, with links, in the format of llmstxt.org.',
    example: '# Social Leads',
  }),
});

export const getDocs = staticContract({
  operationId: 'getDocs',
  path: '/docs',
  summary: 'View the API documentation',
  description:
    'An interactive page that can send requests to the service. It loads no third-party resources.',
  access: openToAll,
  rateLimit: 'documents',
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  role: 'static',
  assets: Object.values(docsAssets),
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
});

export const getDocsAsset = contract({
  operationId: 'getDocsAsset',
  path: '/docs/{asset}',
  summary: 'Get an asset of the documentation page, or a guide',
  access: openToAll,
  rateLimit: 'documents',
  envelope: 'raw',
  contentType: '*/*',
  role: 'static',
  assets: Object.values(docsAssets),
  params: z.object({ asset: text({ min: 1, max: 100, example: 'start.js' }) }),
  query: z.object({
    v: text({
      max: 100,
      example: '1f0c3c1e6d0b',
      description: 'The file version. With a version, the file can be cached permanently.',
    }).optional(),
  }),
  response: z.object({}).meta({ description: 'The file.', example: "'use strict';" }),
  errors: ['ASSET_NOT_FOUND'],
});
