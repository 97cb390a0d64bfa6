import { GripVertical } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import type { ContentPost } from '../../service.ts';
import { useDraggable } from '../../ui/drag.ts';
import { Menu } from '../../ui/menu.tsx';
import { networkNames } from '../../ui/networks.ts';
import { addDays, dayOf } from './calendar.ts';
import type { Moving } from './move-post.ts';
import { accountOf, isOpen, statusNames, statusStyles, titleOf } from './post.ts';

/** Arrow keys, with the number of days that each moves a post. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

const moves = {
  'Move to the next day': 1,
  'Move to the day before': -1,
  'Move to the next week': 7,
  'Move to the week before': -7,
} as const;

/** A post in the calendar. It can be dragged, or moved with Alt and the arrow keys. */
export function PostChip({
  post,
  timeZone,
  moving: { move, followed },
}: {
  readonly post: ContentPost;
  readonly timeZone: string;
  readonly moving: Moving;
}) {
  const { time } = useFormats();
  const canMove = useCan()('MEMBER') && isOpen(post);
  const { ref, isDragging } = useDraggable(post, { canDrag: canMove });
  const at = post.publishedAt ?? post.scheduledAt;
  useEffect(() => {
    if (followed.current === post.id && document.activeElement === document.body) {
      ref.current?.querySelector('a')?.focus();
    }
  }, []);
  const moveBy = (days: number) =>
    move(post, addDays(dayOf(post.scheduledAt ?? new Date(), timeZone), days));

  return (
    <article
      ref={ref}
      class={`chip ${canMove ? 'movable' : ''} ${isDragging ? 'dragging' : ''}`}
      aria-label={titleOf(post)}
    >
      <Link
        href={`/content/posts/${post.id}`}
        draggable={false}
        {...(canMove
          ? { 'aria-keyshortcuts': 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown' }
          : {})}
        onKeyDown={(event: KeyboardEvent) => {
          const days = steps[event.key];
          if (event.altKey && canMove && days) {
            event.preventDefault();
            moveBy(days);
          }
        }}
      >
        <span class={`dot ${statusStyles[post.status]}`} aria-hidden="true" />
        <span class="chip-text">
          <span class="chip-title">{titleOf(post)}</span>
          <span class="quiet small">
            {at && post.status !== 'DRAFT' && `${time(at)} · `}
            {networkNames[post.platform]} · {accountOf(post)}
            {post.status !== 'SCHEDULED' && ` · ${statusNames[post.status]}`}
          </span>
        </span>
      </Link>
      {canMove && post.status !== 'DRAFT' && (
        <Menu
          label={`Move ${titleOf(post)}`}
          class="icon-button chip-menu"
          button={<GripVertical aria-hidden="true" />}
        >
          {Object.entries(moves).map(([name, days]) => (
            <button key={name} type="button" onClick={() => moveBy(days)}>
              {name}
            </button>
          ))}
        </Menu>
      )}
    </article>
  );
}
