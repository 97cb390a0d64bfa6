import { Link } from 'wouter-preact';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import type { Lead, Pipeline } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useDraggable } from '../../ui/drag.ts';
import { sourceName } from '../../ui/source-name.ts';
import { nameOf } from './lead.ts';
import { LeadMenu } from './lead-menu.tsx';
import type { Stage } from './move-lead.ts';

export function LeadCard({
  lead,
  pipeline,
  onMove,
}: {
  readonly lead: Lead;
  readonly pipeline: Pipeline;
  readonly onMove: (lead: Lead, stage: Stage) => void;
}) {
  const { ago, units } = useFormats();
  const canMove = useCan()('MEMBER');
  const { ref, isDragging } = useDraggable(lead, { canDrag: canMove });
  const { contact, source, tags, value, createdAt } = lead;
  const name = nameOf(lead);

  return (
    <article
      ref={ref}
      class={`card lead-card ${canMove ? 'movable' : ''} ${isDragging ? 'dragging' : ''}`}
      aria-label={name}
    >
      <div class="lead-head">
        <Avatar name={name} />
        <div class="lead-title">
          <Link href={`/leads/${lead.id}`} draggable={false}>
            {name}
          </Link>
          <p class="quiet small">{contact?.company ?? sourceName(source)}</p>
        </div>
        {canMove && (
          <LeadMenu lead={lead} stages={pipeline.stages} onMove={(stage) => onMove(lead, stage)} />
        )}
      </div>
      {tags.length > 0 && (
        <p class="tags">
          {tags.map((tag) => (
            <span key={tag} class="badge">
              {tag}
            </span>
          ))}
        </p>
      )}
      <p class="lead-foot small">
        <span class="quiet">{ago(createdAt)}</span>
        {value !== null && <strong>{units(value)}</strong>}
      </p>
    </article>
  );
}
