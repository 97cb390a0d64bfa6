import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, readStaticFile, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getOpenapi, openapiFile } from '#schemas/docs.ts';

const file = readStaticFile(openapiFile);

/** Returns the document that was generated for this version. */
export const handler = publicEndpoint(getOpenapi, async ({ event }) =>
  staticAnswer(event, file, { cacheControl: caching.briefly }),
);
