import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type SectionProps = {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** One topic of a page, with its heading. */
export function Section(props: SectionProps) {
  return <Topic {...props} />;
}

/**
 * Like `Section`, but a landmark, for long pages. Its title must differ from the names of fields.
 */
export function Region(props: SectionProps) {
  const id = useId();

  return <Topic {...props} id={id} />;
}

function Topic({ title, about, children, id }: SectionProps & { readonly id?: string }) {
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {about && <p class="quiet">{about}</p>}
      </header>
      <div class="stack">{children}</div>
    </section>
  );
}
