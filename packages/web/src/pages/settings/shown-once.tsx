import { Check, Copy } from 'lucide-preact';
import { useId, useRef, useState } from 'preact/hooks';

/** Shows a secret that the service returns only once. */
export function ShownOnce({
  label,
  secret,
  onDone,
}: {
  readonly label: string;
  readonly secret: string;
  readonly onDone: () => void;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    await navigator.clipboard.writeText(secret);
    setIsCopied(true);
  };

  return (
    <div class="card stack">
      <div class="field">
        <label for={id}>{label}</label>
        <input
          ref={field}
          id={id}
          class="secret"
          value={secret}
          readOnly
          aria-describedby={`${id}-hint`}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <p class="hint" id={`${id}-hint`}>
          Store it in a safe place now. It is not shown again.
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          onClick={() => void copy().catch(() => undefined)}
        >
          {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" class="button" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}
