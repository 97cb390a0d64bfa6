/**
 * False for the address that a customer of a network has until somebody enters a real one. It cannot
 * exist, so pages do not show it.
 */
export function isReal(email: string): boolean {
  return !email.endsWith('.invalid');
}
