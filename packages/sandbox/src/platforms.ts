/** The networks, by the names that the service uses. X keeps its former name TWITTER. */
export const platforms = [
  'FACEBOOK',
  'INSTAGRAM',
  'TIKTOK',
  'TWITTER',
  'LINKEDIN',
  'YOUTUBE',
] as const;
export type Platform = (typeof platforms)[number];
