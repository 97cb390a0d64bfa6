/** The file cannot be kept. The message is shown to the organization. */
export class InvalidMediaError extends Error {}

export function damagedImage(): InvalidMediaError {
  return new InvalidMediaError('The image is damaged');
}
