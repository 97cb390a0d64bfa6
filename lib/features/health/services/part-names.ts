import type { Dependency, NetworkName } from '#schemas/health.ts';

export const partNames: Readonly<Record<Dependency | NetworkName, string>> = {
  database: 'Database',
  cache: 'Cache',
  payment: 'Payments',
  social: 'Social networks',
  ai: 'AI replies',
  email: 'Email',
  queue: 'Background jobs',
  storage: 'File storage',
  secrets: 'Secrets',
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  twitter: 'X',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
};
