import type { Dependency, NetworkName } from '#schemas/health.ts';

/** Display names of the dependencies. */
export const partNames: Readonly<Record<Dependency | NetworkName, string>> = {
  database: 'Data',
  cache: 'Cache',
  payment: 'Payments',
  social: 'Social networks',
  ai: 'AI answers',
  email: 'E-mail',
  queue: 'Background work',
  storage: 'Files',
  secrets: 'Keys',
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  twitter: 'X',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
};
