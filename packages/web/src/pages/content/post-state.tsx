import { useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { type ContentPost, client } from '../../service.ts';
import { Failed } from '../../ui/states.tsx';
import { isUncertain, statusNames, statusStyles } from './post.ts';

/** Posts that are due this soon are published within the next minute. */
const soonMs = 5_000;

export function useSoon() {
  const { id: organizationId } = useMembership();

  return useSend(
    (postId: string, options) =>
      client.content.updatePost(
        {
          organizationId,
          postId,
          scheduledAt: new Date(Date.now() + soonMs).toISOString(),
        },
        options,
      ),
    { changes: ['content'] },
  );
}

/** The state of a post, and what to do if publishing failed. */
export function PostState({ post }: { readonly post: ContentPost }) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const { dateTime } = useFormats();
  const { status, publishedAt, scheduledAt, failureReason, firstComment, thread, url } = post;
  const again = useSoon();
  const checking = useSend(
    (postId: string, options) => client.content.reconcilePost({ organizationId, postId }, options),
    { changes: ['content'] },
  );
  const repair = isUncertain(post)
    ? { name: 'Check again', sending: checking }
    : { name: 'Try again', sending: again };
  const sentParts = thread.filter((part) => part.status === 'SENT').length;
  const at = publishedAt ?? (status === 'SCHEDULED' ? scheduledAt : null);
  const facts = [
    at && dateTime(at),
    thread.length > 0 && status !== 'DRAFT' && `${sentParts} of ${thread.length} replies sent`,
    firstComment && status === 'PUBLISHED' && commentStates[firstComment.status],
  ].filter(Boolean);

  return (
    <div class="post-state">
      <p>
        <span class={`badge ${statusStyles[status]}`}>
          {isUncertain(post) ? 'Not confirmed' : statusNames[status]}
        </span>{' '}
        <span class="quiet">{facts.join(' · ')}</span>{' '}
        {url && /^https?:/.test(url) && (
          <a href={url} target="_blank" rel="noopener noreferrer">
            Open at the network
          </a>
        )}
      </p>
      {status === 'FAILED' && (
        <div class="failure">
          <p>{failureReason ?? 'The network did not publish it.'}</p>
          {can('MEMBER') && (
            <button
              type="button"
              class="button"
              aria-disabled={repair.sending.isSending}
              onClick={() =>
                repair.sending.isSending || void repair.sending.send(post.id).catch(() => undefined)
              }
            >
              {repair.name}
            </button>
          )}
        </div>
      )}
      <Failed of={repair.sending} />
    </div>
  );
}

type CommentStatus = NonNullable<ContentPost['firstComment']>['status'];

const commentStates: Readonly<Record<CommentStatus, string>> = {
  PENDING: 'First comment waits',
  SENT: 'First comment sent',
  FAILED: 'First comment failed',
  UNKNOWN: 'First comment not confirmed',
};
