import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Sending } from '../frame/data.tsx';
import { Failed } from './states.tsx';

/**
 * A modal dialog, which is open while it is rendered. Escape, its button and a click outside close
 * it.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();

    return () => {
      if (opener instanceof HTMLElement) {
        opener.focus();
      }
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div class="dialog-content">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close dialog" onClick={onClose}>
            <X aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks for confirmation before an action that cannot be undone or costs money. */
export function Confirm({
  title,
  action,
  style = 'danger',
  sending,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly style?: 'danger' | 'primary';
  readonly sending: Sending<undefined, unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  // A second click can arrive before the page renders that the first one is being sent.
  const isBusy = useRef(false);
  const confirm = async () => {
    if (isBusy.current) {
      return;
    }
    isBusy.current = true;
    try {
      await sending.send();
      onClose();
    } catch {
      // Shown from `sending.error`.
    } finally {
      isBusy.current = false;
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Failed of={sending} onRetry={confirm} />
      <div class="actions">
        <button
          type="button"
          class={`button ${style}`}
          aria-disabled={sending.isSending}
          onClick={() => void confirm()}
        >
          {action}
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
