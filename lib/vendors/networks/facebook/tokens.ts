import { secondMs } from '#lib/platform/clock.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import { nextCursorOf, paging, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { AccountTokensApi, Credentials, NetworkPage } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, callAsApp, platform } from './call.ts';

export const refreshToken = unsupported(platform, 'tokenRefresh');

const pageFields = 'id,name,category,link,fan_count,followers_count';

const debugged = z.object({
  data: z.object({
    app_id: z.string().optional(),
    is_valid: z.boolean(),
    expires_at: z.number().default(0),
    scopes: z.array(z.string()).default([]),
    user_id: z.string().optional(),
    /** The id of the page, for a page token. */
    profile_id: z.string().optional(),
    error: z.object({ message: z.string() }).optional(),
  }),
});
const page = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().optional(),
  link: z.string().optional(),
  fan_count: z.number().optional(),
  followers_count: z.number().optional(),
});

/** A page token acts as the page, and a user token as the user. */
export const validateToken: AccountTokensApi['validateToken'] = async ({ accessToken }) => {
  const [{ clientId }, answer] = await Promise.all([
    networkApp(platform),
    callAsApp({
      path: '/debug_token',
      query: { input_token: accessToken },
    }),
  ]);
  const { data } = readAnswer(platform, debugged, answer);
  if (!data.is_valid || data.app_id !== clientId) {
    throw new NetworkError(platform, 'tokenInvalid', {
      message: data.error?.message ?? 'The token is invalid or belongs to another app',
    });
  }
  const speaksFor = data.profile_id ?? data.user_id;

  return {
    platformUserIds: speaksFor === undefined ? [] : [speaksFor],
    scopes: data.scopes,
    ...(data.user_id === undefined ? {} : { grantedById: data.user_id }),
    ...(data.expires_at > 0
      ? { expiresAt: new Date(data.expires_at * secondMs).toISOString() }
      : {}),
  };
};

/** Returns the pages that a user manages. For a page token, returns the page itself. */
export const listPages: AccountTokensApi['listPages'] = async (credentials) => {
  try {
    const pages = await readManagedPages(credentials, pageFields, page);

    return pages.map(present);
  } catch (failure) {
    // Facebook's error for a page, which has no accounts: "(#100) Tried accessing nonexisting
    // field".
    if (failure instanceof NetworkError && failure.code === '100') {
      return [await readPage(credentials)];
    }
    throw failure;
  }
};

async function readPage(credentials: Credentials): Promise<NetworkPage> {
  const answer = await call(credentials, {
    path: pathOf(credentials.platformUserId),
    query: { fields: pageFields },
  });

  return present(readAnswer(platform, page, answer));
}

function present(found: z.output<typeof page>): NetworkPage {
  return {
    platformPageId: found.id,
    name: found.name,
    category: found.category ?? null,
    url: found.link ?? null,
    isActive: true,
    followersCount: found.followers_count ?? found.fan_count ?? null,
    lastPostDate: null,
  };
}

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
