/** Markup that is safe to insert into a page as is. */
export type Html = { readonly markup: string };

type HtmlPart = Html | readonly Html[] | string | number | null;

/** Builds markup. Escapes every value that is not markup itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const markup = strings.map((text, index) => text + render(parts[index] ?? '')).join('');

  return { markup };
}

/** A table with a caption, or the text `empty` if there are no rows. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly HtmlPart[])[],
  empty: string,
): Html {
  if (rows.length === 0) {
    return html`<p class="empty">${empty}</p>`;
  }

  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** A `<time>` element, readable by people and machines. */
export function time(at: Date): Html {
  const iso = at.toISOString();

  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

/** Turns web addresses in a text into links. */
export function linked(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"]+)/);

  return html`${pieces.map((piece, index) =>
    index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`,
  )}`;
}

function render(part: HtmlPart): string {
  if (part === null) {
    return '';
  }

  if (typeof part === 'string' || typeof part === 'number') {
    return escapeHtml(String(part));
  }

  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
