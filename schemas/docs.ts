import { text } from './common.ts';
import { contract, openToAll } from './contract.ts';
import * as z from './zod.ts';

/** Path of the OpenAPI document, and the files of the page by their name under `/docs/`. */
export const openapiFile = 'docs/openapi.json';
export const docsAssets = {
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt':
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'favicon-32x32.png': 'node_modules/swagger-ui-dist/favicon-32x32.png',
  'start.js': 'lib/features/docs/start-swagger-ui.js',
} as const;

export type DocsAssetName = keyof typeof docsAssets;

export const getOpenapi = contract({
  operationId: 'getOpenapi',
  area: 'docs',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get this OpenAPI document',
  access: openToAll,
  rateLimit: 'publicPages',
  extension: true,
  envelope: 'raw',
  contentType: 'application/json',
  role: 'static',
  assets: [openapiFile],
  response: z.object({
    openapi: z.string().meta({ example: '3.1.1' }),
    info: z.object({
      title: z.string().meta({ example: 'Social Leads' }),
      version: z.string().meta({ example: '0.1.0' }),
    }),
    paths: z.record(z.string(), z.unknown()).meta({ example: {} }),
  }),
});

export const getDocs = contract({
  operationId: 'getDocs',
  area: 'docs',
  method: 'GET',
  path: '/docs',
  summary: 'View the API documentation',
  description:
    'An interactive page that can send requests to the service. It loads no third-party resources.',
  access: openToAll,
  rateLimit: 'publicPages',
  extension: true,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  role: 'static',
  assets: Object.values(docsAssets),
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
});

export const getDocsAsset = contract({
  operationId: 'getDocsAsset',
  area: 'docs',
  method: 'GET',
  path: '/docs/{asset}',
  summary: 'Get an asset of the documentation page',
  access: openToAll,
  rateLimit: 'publicPages',
  extension: true,
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
  errors: ['notFound'],
});

export const docsContracts = [getOpenapi, getDocs, getDocsAsset] as const;
