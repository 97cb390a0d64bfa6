import type { ComponentChildren } from 'preact';
import { messageOf } from '../service.ts';

export function Loading({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="hidden">{label}</span>
    </p>
  );
}

/** Shows what happened, with a `Try again` button. */
export function Failure({
  error,
  message,
  onRetry,
}: {
  readonly error?: unknown;
  readonly message?: string;
  readonly onRetry?: (() => unknown) | undefined;
}) {
  return (
    <div class="failure" role="alert">
      <p>{message ?? messageOf(error)}</p>
      {onRetry && (
        <button type="button" class="button" onClick={() => void onRetry()}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows that a change failed, with a `Try again` button. */
export function Failed({
  of: { error, retry },
  onRetry = retry,
}: {
  /** From `useSend`. */
  readonly of: { readonly error: unknown; readonly retry: () => void };
  /** Called to repeat the change. Use it if something else happens after a success. */
  readonly onRetry?: () => unknown;
}) {
  return error ? <Failure error={error} onRetry={onRetry} /> : null;
}

/** Explains an empty list and how to add the first item. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
