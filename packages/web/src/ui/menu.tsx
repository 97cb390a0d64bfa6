import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

/**
 * A button that opens a menu of buttons and links: `<Menu label="Actions"><button …/></Menu>`. It
 * is a native popover: Escape, a click outside and choosing an entry close it. The arrow keys move
 * between entries.
 */
export function Menu({
  label,
  button,
  class: style = 'button',
  children,
}: {
  readonly label: string;
  /** The button's content instead of its label. */
  readonly button?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('button, a') ?? [])];

  return (
    <>
      <button
        ref={opener}
        type="button"
        class={style}
        popovertarget={id}
        {...(button ? { 'aria-label': label } : {})}
      >
        {button ?? label}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        role="group"
        aria-label={label}
        // The browser focuses this entry as it opens the menu. The toggle event comes later, and a
        // quick person has pressed the next key by then.
        onBeforeToggle={() => entries()[0]?.setAttribute('autofocus', '')}
        onToggle={({ newState }) => {
          if (newState === 'open' && opener.current && menu.current) {
            place(menu.current, opener.current);
          }
        }}
        onClick={() => menu.current?.hidePopover()}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step) {
            event.preventDefault();
            const all = entries();
            const index = all.indexOf(document.activeElement as HTMLElement);
            all[(index + step + all.length) % all.length]?.focus();
          }
        }}
      >
        {children}
      </div>
    </>
  );
}

/** Places the menu below the button, or above it if there is more room, inside the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const gap = 4;
  const isBelow = bottom + gap + offsetHeight <= innerHeight || top < innerHeight - bottom;
  menu.style.left = `${Math.max(gap, Math.min(left, innerWidth - offsetWidth - gap))}px`;
  menu.style.top = `${isBelow ? bottom + gap : Math.max(gap, top - offsetHeight - gap)}px`;
}
