import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { completedEvent } from '#lib/vendors/networks/meta/fetched-message.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { LookupsApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const profile = z.object({
  name: z.string().default(''),
  profile_pic: z.string().optional(),
});

/** Returns nothing: Facebook pushes comments. */
export const fetchComments: LookupsApi['fetchComments'] = async () => [];

/** Returns the profile of a person who wrote to the account. */
export const fetchProfile: Required<LookupsApi>['fetchProfile'] = async (
  credentials,
  customerId,
) => {
  const answer = await call(credentials, {
    path: pathOf(customerId),
    query: { fields: 'name,profile_pic' },
  });
  const { name, profile_pic: avatarUrl } = readAnswer(platform, profile, answer);

  return { name, ...(avatarUrl ? { avatarUrl } : {}) };
};

/** Fetches a message whose event contains only the id. */
export const completeEvent: Required<LookupsApi>['completeEvent'] = (credentials, event) =>
  completedEvent(platform, (request) => call(credentials, request), event);
