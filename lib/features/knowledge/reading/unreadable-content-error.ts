/** The content cannot be used. The message is shown to the organization. */
export class UnreadableContentError extends Error {}
