import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { completedEvent } from '#lib/vendors/networks/meta/fetched-message.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type {
  Credentials,
  CustomerProfile,
  NormalisedEvent,
} from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const profile = z.object({
  name: z.string().default(''),
  profile_pic: z.string().optional(),
});

/** Returns nothing: Facebook pushes comments. */
export async function fetchComments(): Promise<readonly NormalisedEvent[]> {
  return [];
}

/** Returns the profile of a person who wrote to the account. */
export async function fetchProfile(
  credentials: Credentials,
  customerId: string,
): Promise<CustomerProfile> {
  const answer = await call(credentials, {
    method: 'GET',
    path: pathOf(customerId),
    query: { fields: 'name,profile_pic' },
  });
  const { name, profile_pic: avatarUrl } = readAnswer(platform, profile, answer);

  return { name, ...(avatarUrl ? { avatarUrl } : {}) };
}

/** Fetches a message whose event contains only the id. */
export function completeEvent(
  credentials: Credentials,
  event: NormalisedEvent,
): Promise<NormalisedEvent | undefined> {
  return completedEvent(platform, (request) => call(credentials, request), event);
}
