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

/** The network has not confirmed it: it must not be sent again before somebody checks. */
export function isUncertain({ status, failureCode }: ContentPost): boolean {
  return status === 'FAILED' && failureCode === 'OUTCOME_UNKNOWN';
}

/** True for posts whose time and content can change. */
export function isOpen(post: ContentPost): boolean {
  return ['DRAFT', 'SCHEDULED', 'FAILED'].includes(post.status) && !isUncertain(post);
}

export function accountOf({ socialAccount }: ContentPost): string {
  return socialAccount?.name ?? 'Disconnected account';
}

/** The beginning of a post's text, which names it. */
export function titleOf({ content }: ContentPost): string {
  const [line = ''] = content.trim().split('\n');

  return line === '' ? 'Post without text' : line;
}
