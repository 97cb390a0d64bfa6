import type { SandboxRequest } from '../../../frame/service.ts';
import { rejectInvalid } from './api.ts';

/** The values in X's specification 2.167 that the sandbox supports. */
const postFields = new Set([
  'id',
  'text',
  'created_at',
  'conversation_id',
  'entities',
  'note_post',
  'public_metrics',
  'non_public_metrics',
  'organic_metrics',
]);
const userFields = new Set(
  `affiliation confirmed_email connection_status created_at description entities id
  is_identity_verified location most_recent_post_id name parody pinned_post_id profile_banner_url
  profile_image_url protected public_metrics receives_your_dm subscription subscription_type url
  username verified verified_followers_count verified_type withheld`.split(/\s+/),
);
const expansions = new Set([
  'author_id',
  'in_reply_to_user_id',
  'referenced_posts',
  'edit_history_post_ids',
]);
const always = ['id', 'text', 'edit_history_post_ids'];

/**
 * Returns the requested fields of a post. Rejects the older parameter `tweet.fields`: X accepts it
 * on some paths, ignores it on others, and no longer documents it.
 */
export function requestedFields({ query }: SandboxRequest): ReadonlySet<string> {
  if (query.has('tweet.fields')) {
    rejectInvalid('The query parameter [tweet.fields] is not one of the documented parameters');
  }

  valuesOf(query, 'user.fields', userFields);

  return new Set([
    ...always,
    ...valuesOf(query, 'post.fields', postFields),
    ...valuesOf(query, 'expansions', expansions),
  ]);
}

/** Returns the requested fields of a user. */
export function requestedUserFields({ query }: SandboxRequest): ReadonlySet<string> {
  return new Set(['id', 'name', 'username', ...valuesOf(query, 'user.fields', userFields)]);
}

function valuesOf(
  query: URLSearchParams,
  name: string,
  known: ReadonlySet<string>,
): readonly string[] {
  const values = (query.get(name) ?? '').split(',').filter(Boolean);
  const unknown = values.find((value) => !known.has(value));

  return unknown === undefined
    ? values
    : rejectInvalid(
        `The \`${name}\` query parameter value [${unknown}] is not one of ${[...known]}`,
      );
}

/** Returns the post or user with only the requested fields. */
export function only(thing: object, fields: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(thing).filter(([name]) => fields.has(name)));
}
