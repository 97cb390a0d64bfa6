import { Ellipsis } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import type { Lead } from '../../service.ts';
import { Menu } from '../../ui/menu.tsx';
import type { Stage } from './move-lead.ts';

/** The menu of a lead. It can move a lead without dragging. */
export function LeadMenu({
  lead,
  stages,
  onMove,
  isIcon = true,
  children,
}: {
  readonly lead: Pick<Lead, 'stageId'>;
  readonly stages: readonly Stage[];
  readonly onMove: (stage: Stage) => void;
  readonly isIcon?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <Menu
      label="Actions"
      {...(isIcon ? { class: 'icon-button', button: <Ellipsis aria-hidden="true" /> } : {})}
    >
      {stages.map((stage) => (
        <button
          key={stage.id}
          type="button"
          aria-current={stage.id === lead.stageId}
          onClick={() => onMove(stage)}
        >
          Move to {stage.name}
        </button>
      ))}
      {children}
    </Menu>
  );
}
