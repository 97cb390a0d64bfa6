/**
 * Returns the URL of a network's authorization page. Spaces are `%20`: not every network reads `+`
 * in a list of scopes.
 */
export function authorizationUrl(
  page: string,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${page}?${new URLSearchParams(parameters).toString().replaceAll('+', '%20')}`;
}
