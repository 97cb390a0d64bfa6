import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useCan } from '../frame/session.tsx';
import type { Role } from '../service.ts';

/** A page inside the frame. Its heading is also the title of the tab, and gets the focus. */
export function Page({
  title,
  actions,
  wide = false,
  children,
}: {
  readonly title: string;
  /** Buttons next to the heading. */
  readonly actions?: ComponentChildren;
  /** Uses the whole window, for boards and columns. */
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div class={wide ? 'page wide' : 'page'}>
      <header class="page-head">
        <Heading>{title}</Heading>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

let isFirst = true;

/** The heading of a page that has its own layout. */
export function Heading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Social Leads`;
  }, [children]);
  useEffect(() => {
    // A newly loaded page starts at its top. After a navigation, the heading gets the focus.
    if (!isFirst) {
      heading.current?.focus();
    }
    isFirst = false;
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

const holders: Readonly<Record<Role, string>> = {
  VIEWER: 'Everybody',
  MEMBER: 'Members, admins and owners',
  ADMIN: 'Only owners and admins',
  OWNER: 'Only owners',
};

/**
 * Shows its content to people with at least this role. For everybody else, it shows which roles may:
 * `may="see API keys"`.
 */
export function For({
  role,
  may,
  children,
}: {
  readonly role: Role;
  readonly may: string;
  readonly children: ComponentChildren;
}) {
  const can = useCan();

  return can(role) ? (
    <>{children}</>
  ) : (
    <p class="notice">
      {holders[role]} can {may}.
    </p>
  );
}
