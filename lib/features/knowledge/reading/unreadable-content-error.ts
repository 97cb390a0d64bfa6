/** Thrown if the content cannot be used. The organization sees the message. */
export class UnreadableContentError extends Error {}
