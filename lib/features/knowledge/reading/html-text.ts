import { Tokenizer } from 'htmlparser2';

/** Elements whose content readers do not see. */
const hiddenElements = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
]);
/** Elements that begin and end a line. */
const blocks = new Set(
  'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table td th title tr ul'.split(
    ' ',
  ),
);

/**
 * Returns the text of an HTML document, one line for each block. The tokenizer keeps no stack of
 * open elements, so the time does not depend on their depth.
 */
export function textOfHtml(html: string): string {
  const parts: string[] = [];
  const hiding = new Hiding();
  let opened = '';
  const add = (text: string) => {
    if (!hiding.element) {
      parts.push(text);
    }
  };
  const breakLine = (element: string) => {
    if (blocks.has(element)) {
      add('\n');
    }
  };
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase();
  const tokenizer = new Tokenizer(
    {},
    {
      ...ignored,
      ontext: (start, end) => add(html.slice(start, end).replaceAll(/\s+/gu, ' ')),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        opened = nameAt(start, end);
        hiding.open(opened);
        breakLine(opened);
      },
      onselfclosingtag: () => {
        // Among these elements, only SVG can close itself.
        if (opened === 'svg') {
          hiding.close(opened);
        }
      },
      onclosetag: (start, end) => {
        const element = nameAt(start, end);
        hiding.close(element);
        breakLine(element);
      },
      // Inside SVG, `<title>` and `<style>` are ordinary elements.
      isInForeignContext: () => hiding.element === 'svg',
    },
  );
  tokenizer.write(html);
  tokenizer.end();

  return parts.join('');
}

const nothing = () => {};
const ignored = {
  onattribdata: nothing,
  onattribend: nothing,
  onattribentity: nothing,
  onattribname: nothing,
  oncdata: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onprocessinginstruction: nothing,
};

/** Tracks which element hides the current text. */
class Hiding {
  element: string | undefined;
  /** The number of open elements with the same name. */
  private nested = 0;
  /** The number of open blocks inside the element. */
  private blocks = 0;

  open(element: string): void {
    if (this.element === undefined) {
      if (hiddenElements.has(element)) {
        this.element = element;
        this.nested = 1;
        this.blocks = 0;
      }
    } else if (element === this.element) {
      this.nested += 1;
    } else if (blocks.has(element)) {
      this.blocks += 1;
    }
  }

  /**
   * The end of a block around the element also ends the element, in case its own end tag is
   * missing.
   */
  close(element: string): void {
    if (element === this.element) {
      this.nested -= 1;
    } else if (blocks.has(element)) {
      this.blocks -= 1;
    }
    if (this.nested <= 0 || this.blocks < 0) {
      this.element = undefined;
    }
  }
}
