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

/** Says what happened, and offers to try again. */
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

/** Says that something was not changed, if it failed, and offers to try again. */
export function Failed({
  of: { error, retry },
  onRetry = retry,
}: {
  /** From `useSend`. */
  readonly of: { readonly error: unknown; readonly retry: () => void };
  /** For what happens after a success, too. */
  readonly onRetry?: () => unknown;
}) {
  return error ? <Failure error={error} onRetry={onRetry} /> : null;
}

/** Explains an empty list, and how to fill it. */
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
