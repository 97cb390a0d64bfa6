import { endpoint } from '#lib/platform/http/endpoint.ts';
import { caching, readStaticFile, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getLlmsTxt, llmsFile } from '#schemas/docs.ts';

const file = readStaticFile(llmsFile);

export const handler = endpoint(getLlmsTxt, async ({ event }) =>
  staticAnswer(event, file, { cacheControl: caching.briefly }),
);
