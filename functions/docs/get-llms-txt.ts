import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, readStaticFile, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getLlmsTxt, llmsFile } from '#schemas/docs.ts';

const file = readStaticFile(llmsFile);

export const handler = publicEndpoint(getLlmsTxt, async ({ event }) =>
  staticAnswer(event, file, { cacheControl: caching.briefly }),
);
