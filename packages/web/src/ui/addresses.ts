/**
 * False for the placeholder address of a customer whose real address is unknown. It cannot receive
 * mail, so pages do not show it.
 */
export function isReal(email: string): boolean {
  return !email.endsWith('.invalid');
}
