/**
 * Returns the URL of a network's authorization page. Encodes spaces as `%20`, because not every
 * network accepts `+` in a list of scopes.
 */
export function authorizationUrl(
  page: string,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${page}?${new URLSearchParams(parameters).toString().replaceAll('+', '%20')}`;
}
