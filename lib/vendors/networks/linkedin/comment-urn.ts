const commentUrn = /^urn:li:comment:\((.+),([^,()]+)\)$/;

type CommentParts = {
  /** The URN of the comment's post. */
  readonly thread: string;
  readonly id: string;
};

/** Returns the parts of a comment's URN. For any other id, the thread is the id itself. */
export function partsOfComment(urn: string): CommentParts {
  const [, thread, id] = commentUrn.exec(urn) ?? [];
  if (thread === undefined || id === undefined) {
    return { thread: urn, id: urn };
  }

  return { thread: thread.startsWith('urn:li:') ? thread : `urn:li:${thread}`, id };
}
