/** All scopes that the service's app may use. */
export const userScopes = [
  'tweet.read',
  'tweet.write',
  'users.read',
  'offline.access',
  'dm.read',
  'dm.write',
  'media.write',
  'tweet.moderate.write',
] as const;
