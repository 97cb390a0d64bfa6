import type { ContentPost } from '../../service.ts';

export type PostStatus = ContentPost['status'];

export const statusNames: Readonly<Record<PostStatus, string>> = {
  DRAFT: 'Draft',
  SCHEDULED: 'Scheduled',
  PUBLISHED: 'Published',
  FAILED: 'Failed',
  DELETED: 'Deleted',
};

export const statusStyles: Readonly<Record<PostStatus, string>> = {
  DRAFT: '',
  SCHEDULED: 'warning',
  PUBLISHED: 'success',
  FAILED: 'danger',
  DELETED: '',
};

/** The network has not confirmed the post. A person must check before it is sent again. */
export function isUncertain({ status, failureCode }: ContentPost): boolean {
  return status === 'FAILED' && failureCode === 'OUTCOME_UNKNOWN';
}

/** True if the post's time and content can still change. */
export function isOpen(post: ContentPost): boolean {
  return ['DRAFT', 'SCHEDULED', 'FAILED'].includes(post.status) && !isUncertain(post);
}

export function accountOf({ socialAccount }: ContentPost): string {
  return socialAccount?.name ?? 'Disconnected account';
}

/** The beginning of a post's text, used as its name. */
export function titleOf({ content }: ContentPost): string {
  const [line = ''] = content.trim().split('\n');

  return line === '' ? 'Post without text' : line;
}
