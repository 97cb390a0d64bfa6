import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Sending } from '../frame/data.tsx';
import { fieldMessagesOf, isRejection, messageOf } from '../service.ts';

export type Values = Readonly<Record<string, string>>;

type FormState = {
  readonly messages: Readonly<Record<string, string>>;
  /** The names of fields that show their own message. */
  readonly shown: Set<string>;
};

const FormContext = createContext<FormState>({ messages: {}, shown: new Set() });

type FormProps<Result> = {
  /** From `useSend`. */
  readonly sending: Sending<Values, Result>;
  /** Called after a success. If it returns true, the form is emptied. */
  readonly onDone?: (result: Result) => unknown;
  /** The message after a success, if the form stays open. */
  readonly done?: string | undefined;
  /** The label of the button. */
  readonly action: string;
  readonly children: ComponentChildren;
  /** Shown next to the button. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
};

/**
 * A form whose fields have the names of the API's fields. It shows the API's messages at their
 * fields, and other messages above the button. After a failure, it keeps all input.
 */
export function Form<Result>(props: FormProps<Result>) {
  const { sending, onDone, done, action, children, aside } = props;
  const { error, isSending } = sending;
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState<Values>({});
  const [isDone, setIsDone] = useState(false);
  // A second click can arrive before the page renders that the first one is being sent.
  const isBusy = useRef(false);
  const shown = useRef(new Set<string>()).current;
  const messages = { ...fieldMessagesOf(error), ...missing };
  const elsewhere = Object.keys(messages).some((name) => !shown.has(name));
  const hasAlert =
    Boolean(error) && (Object.keys(fieldMessagesOf(error)).length === 0 || elsewhere);

  // Moves the focus to the first invalid field.
  const trouble = JSON.stringify(messages);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [trouble]);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.current || !form.current) {
      return;
    }
    const values = valuesOf(form.current);
    const empty = requiredAndEmpty(form.current, values);
    setMissing(empty);
    setIsDone(false);
    if (Object.keys(empty).length > 0) {
      return;
    }
    isBusy.current = true;
    try {
      const result = await sending.send(values);
      setIsDone(true);
      if (onDone?.(result) === true) {
        form.current?.reset();
      }
    } catch {
      // Shown from `sending.error`.
    } finally {
      isBusy.current = false;
    }
  };

  return (
    <form
      ref={form}
      class={`form ${props.class ?? ''}`}
      noValidate
      onInput={() => setIsDone(false)}
      onSubmit={submit}
    >
      <FormContext.Provider value={{ messages, shown }}>{children}</FormContext.Provider>
      {hasAlert && (
        <div class="failure" role="alert">
          <p>{messageOf(error)}</p>
          {!isRejection(error) && (
            <button type="submit" class="button" aria-disabled={isSending}>
              Try again
            </button>
          )}
        </div>
      )}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={isSending}>
          {action}
        </button>
        {aside}
        {done && (
          <p class="quiet" role="status">
            {isDone && done}
          </p>
        )}
      </div>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): Values {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value)] as const),
  );
}

function requiredAndEmpty(form: HTMLFormElement, values: Values): Values {
  const required = [...form.querySelectorAll<HTMLInputElement>('[required]')];

  return Object.fromEntries(
    required
      .filter(({ name }) => (values[name] ?? '').trim() === '')
      .map(({ name }) => [name, 'Fill in this field.']),
  );
}

type Common = {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
};

function useField({ name, hint }: Common) {
  const id = useId();
  const { messages, shown } = useContext(FormContext);
  useEffect(() => {
    shown.add(name);

    return () => {
      shown.delete(name);
    };
  }, [name, shown]);
  const { [name]: message } = messages;
  const described = [hint && `${id}-hint`, message && `${id}-message`].filter(Boolean).join(' ');

  return {
    id,
    message,
    attributes: {
      id,
      name,
      ...(message ? { 'aria-invalid': true } : {}),
      ...(described ? { 'aria-describedby': described } : {}),
    } as const,
  };
}

function Around({
  id,
  label,
  hint,
  message,
  children,
}: Omit<Common, 'name'> & {
  readonly id: string;
  readonly message: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message && (
        <p class="message" id={`${id}-message`}>
          {message}
        </p>
      )}
    </div>
  );
}

type FieldProps = Common & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'name' | 'label'>;

/** A one-line field for a text, a password, a date and so on, with its label, hint and message. */
export function Field({ label, hint, ...input }: FieldProps) {
  const { id, message, attributes } = useField({ name: input.name, label, hint });

  return (
    <Around id={id} label={label} hint={hint} message={message}>
      <input type="text" {...input} {...attributes} />
    </Around>
  );
}

type AreaProps = Common & Omit<JSX.TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'label'>;

export function TextArea({ label, hint, ...area }: AreaProps) {
  const { id, message, attributes } = useField({ name: area.name, label, hint });

  return (
    <Around id={id} label={label} hint={hint} message={message}>
      <textarea rows={3} {...area} {...attributes} />
    </Around>
  );
}

type SelectProps = Common &
  Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'label'> & {
    /** By value. */
    readonly options: Readonly<Record<string, string>>;
  };

export function Select({ label, hint, options, value, ...select }: SelectProps) {
  const { id, message, attributes } = useField({ name: select.name, label, hint });

  return (
    <Around id={id} label={label} hint={hint} message={message}>
      <select {...select} {...attributes}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  );
}

type CheckboxProps = Common & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'name' | 'label'>;

export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const { id, message, attributes } = useField({ name: input.name, label, hint });

  return (
    <div class="field checkbox">
      <input type="checkbox" {...input} {...attributes} />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {message && (
        <p class="message" id={`${id}-message`}>
          {message}
        </p>
      )}
    </div>
  );
}
