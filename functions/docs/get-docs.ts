import { docsPage, docsPagePolicy } from '#lib/features/docs/docs-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { caching, staticAnswer } from '#lib/platform/http/static-file.ts';
import { getDocs } from '#schemas/docs.ts';

const page = docsPage();

/** The page for people: Swagger UI, from this service's own files. */
export const handler = endpoint(getDocs, async ({ event }) =>
  staticAnswer(event, page, {
    cacheControl: caching.revalidated,
    headers: { 'content-security-policy': docsPagePolicy },
  }),
);
