import { docsPage, docsPagePolicy } from '#lib/features/docs/docs-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { caching, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getDocs } from '#schemas/docs.ts';

const page = docsPage();

/** Returns the Swagger UI page. It loads only assets from this origin. */
export const handler = endpoint(getDocs, async ({ event }) =>
  staticAnswer(event, page, {
    cacheControl: caching.briefly,
    headers: { 'content-security-policy': docsPagePolicy },
  }),
);
