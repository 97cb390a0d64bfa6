import { findAppAsset } from '#lib/features/app/app-assets.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getAppAsset } from '#schemas/app.ts';

export const handler = publicEndpoint(getAppAsset, async ({ event, params }) => {
  const file = findAppAsset(params.asset);
  if (!file) {
    throw notFound('Asset');
  }

  return staticAnswer(event, file, { cacheControl: caching.immutable });
});
