const browsers = {
  Edg: 'Edge',
  OPR: 'Opera',
  Firefox: 'Firefox',
  Chrome: 'Chrome',
  Safari: 'Safari',
};
const systems = {
  iPhone: 'iPhone',
  iPad: 'iPad',
  Android: 'Android',
  Windows: 'Windows',
  Macintosh: 'Mac',
  Linux: 'Linux',
};

/** Returns a readable name for a browser, from its user agent. */
export function deviceOf(userAgent: string): string {
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1];
  const found = [find(browsers), find(systems)].filter(Boolean).join(' on ');

  return found || userAgent.slice(0, 60) || 'Unknown device';
}
