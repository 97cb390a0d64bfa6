import type { ComponentChildren } from 'preact';
import { useSession } from '../../frame/session.tsx';
import { Heading } from '../../ui/page.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

/** A page for people without a session: one column with the product's name. */
export function Door({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <main class="door">
      <p class="brand">Social Leads</p>
      <Heading>{title}</Heading>
      {children}
    </main>
  );
}

/** Shows its content after the session has been checked. */
export function SessionKnown({ children }: { readonly children: ComponentChildren }) {
  const { user, error, refresh } = useSession();
  if (user !== undefined) {
    return <>{children}</>;
  }

  return error ? (
    <main class="door">
      <Failure error={error} onRetry={() => refresh().catch(() => undefined)} />
    </main>
  ) : (
    <Loading />
  );
}

/** Returns the one-time token from the link of an email. */
export function tokenInAddress(): string {
  return new URLSearchParams(location.search).get('token') ?? '';
}
