import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { nextCursorOf, paging, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callAsApp, platform } from './call.ts';

const pageSize = 100;
/** Guards against endless pagination. Nobody writes to more than 10,000 pages of one app. */
const maxListPages = 100;

const found = z.object({ data: z.array(z.object({ id: z.string() })), paging });

/**
 * Returns a person's ids on the pages, for the id that the app knows. Facebook rejects the request
 * for people who never used the app, and if the app and the pages have no common business. Then the
 * result is empty.
 *
 * Unverified: what Facebook returns after the person removed the app. See docs/operations.md.
 */
export async function listScopedIds(personId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  for (let count = 0; count < maxListPages; count += 1) {
    const answer = await lookUp(personId, after);
    if (!answer) {
      break;
    }
    const { data, paging: links } = readAnswer(platform, found, answer);
    ids.push(...data.map(({ id }) => id));
    after = nextCursorOf(links);
    if (after === undefined) {
      break;
    }
  }

  return ids;
}

async function lookUp(personId: string, after: string | undefined) {
  try {
    return await callAsApp(
      {
        path: `${pathOf(personId)}/ids_for_pages`,
        query: { limit: pageSize, after },
      },
      { withProof: true },
    );
  } catch (failure) {
    if (failure instanceof NetworkError && !failure.isTransient && failure.code !== '190') {
      return undefined;
    }
    throw failure;
  }
}
