/** The file cannot be kept. The message is shown to the organization. */
export class InvalidMediaError extends Error {}
