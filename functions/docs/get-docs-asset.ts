import { docsFile, isDocsAsset } from '#lib/features/docs/docs-files.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getDocsAsset } from '#schemas/docs.ts';

/** Returns an asset of the page. Requests with a version can be cached permanently. */
export const handler = publicEndpoint(getDocsAsset, async ({ event, params, query }) => {
  if (!isDocsAsset(params.asset)) {
    throw notFound('Asset');
  }
  const file = docsFile(params.asset);
  const isVersioned = query.v === file.version;

  return staticAnswer(event, file, {
    cacheControl: isVersioned ? caching.immutable : caching.briefly,
  });
});
