import type { ComponentChildren } from 'preact';

/** A region that scrolls independently and by keyboard: a board or a wide table. */
export function Scrolling({
  label,
  class: style = '',
  children,
}: {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, no key scrolls it.
    <section class={`scrolling ${style}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
