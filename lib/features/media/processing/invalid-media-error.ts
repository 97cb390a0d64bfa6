/** Thrown if the file cannot be kept. The organization sees the message. */
export class InvalidMediaError extends Error {}

export function damagedImage(): InvalidMediaError {
  return new InvalidMediaError('The image is damaged');
}
