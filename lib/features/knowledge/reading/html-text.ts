import { Parser } from 'htmlparser2';

/** Their content is not shown to readers. */
const hidden = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object']);
/** They begin and end a line. */
const blocks = new Set(
  'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table td th title tr ul'.split(
    ' ',
  ),
);

/**
 * Returns the text of an HTML document, one line for each block. The parser reports elements one by
 * one, so deeply nested documents need no more memory or time than flat ones.
 */
export function textOfHtml(html: string): string {
  const parts: string[] = [];
  let hiddenDepth = 0;
  const breakLine = (element: string) => {
    if (blocks.has(element)) {
      parts.push('\n');
    }
  };
  const parser = new Parser({
    onopentag: (element) => {
      hiddenDepth += hidden.has(element) ? 1 : 0;
      breakLine(element);
    },
    ontext: (text) => {
      if (hiddenDepth === 0) {
        parts.push(text.replaceAll(/\s+/gu, ' '));
      }
    },
    onclosetag: (element) => {
      hiddenDepth -= hidden.has(element) ? 1 : 0;
      breakLine(element);
    },
  });
  parser.end(html);

  return parts.join('');
}
