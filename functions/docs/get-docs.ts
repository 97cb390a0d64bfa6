import { docsPage, docsPagePolicy } from '#lib/features/docs/docs-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getDocs } from '#schemas/docs.ts';

const page = docsPage();

/** Returns the Swagger UI page. It loads only assets from this origin. */
export const handler = publicEndpoint(getDocs, async ({ event }) =>
  staticAnswer(event, page, {
    cacheControl: caching.briefly,
    headers: { 'content-security-policy': docsPagePolicy },
  }),
);
