import { nextCursorOf, paging } from '#lib/vendors/networks/meta/paging.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const pageSize = 100;
/** Guards against endless pagination. Nobody manages more than 2,000 pages. */
const maxListPages = 20;

/** Returns all pages that a user manages, with the given fields. */
export async function readManagedPages<Page>(
  credentials: Credentials,
  fields: string,
  page: z.ZodType<Page>,
): Promise<readonly Page[]> {
  const pages = z.object({ data: z.array(page), paging });
  const found: Page[] = [];
  let after: string | undefined;
  for (let count = 0; count < maxListPages; count += 1) {
    const answer = await call(credentials, {
      method: 'GET',
      path: '/me/accounts',
      query: { fields, limit: pageSize, after },
    });
    const { data, paging: links } = readAnswer(platform, pages, answer);
    found.push(...data);
    after = nextCursorOf(links);
    if (after === undefined) {
      break;
    }
  }

  return found;
}
