import { useEffect, useId, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useDebounced } from '../frame/debounced.ts';

/** The filters of a list, which are stored in the address. An empty value removes a filter. */
export function useFilters() {
  const [params, setParams] = useSearchParams();

  return {
    filter: (name: string) => params.get(name) ?? '',
    /** Returns those of the given filters that are set. */
    those: <Name extends string>(...names: readonly Name[]) =>
      Object.fromEntries(
        names.map((name) => [name, params.get(name)]).filter(([, value]) => value),
      ) as { readonly [name in Name]?: string },
    set: (values: Readonly<Record<string, string>>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values)) {
            if (value === '') {
              next.delete(name);
            } else {
              next.set(name, value);
            }
          }

          return next;
        },
        { replace: true },
      ),
  };
}

/** A search field that searches while a person types. The text is the filter `search`. */
export function SearchFilter({ label }: { readonly label: string }) {
  const { filter, set } = useFilters();
  const value = filter('search');
  const [text, setText] = useState(value);
  const settled = useDebounced(text);
  useEffect(() => {
    if (settled !== value) {
      set({ search: settled });
    }
  }, [settled]);

  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

/** A select whose value is stored in the address under its name. */
export function SelectFilter({
  name,
  label,
  all,
  initial = '',
  options,
}: {
  readonly name: string;
  readonly label: string;
  /** The option without a filter, such as `All statuses`. */
  readonly all?: string;
  /** The option that is chosen if the address contains none. */
  readonly initial?: string;
  readonly options: Readonly<Record<string, string>>;
}) {
  const id = useId();
  const { filter, set } = useFilters();
  const value = filter(name) || initial;

  return (
    <>
      <label class="hidden" for={id}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
      >
        {all && <option value="">{all}</option>}
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
}
