import { reject } from './api.ts';

/** A requested field: `comments.limit(5).summary(true){message}`. */
export type RequestedField = {
  readonly name: string;
  readonly alias?: string;
  /** Arguments of modifiers, by the modifier's name. */
  readonly modifiers: Readonly<Record<string, string>>;
  readonly nested?: readonly RequestedField[];
};

/** Parses the parameter `fields` of the Graph API. */
export function parseFieldList(text: string): readonly RequestedField[] {
  const parser = new FieldListParser(text);
  const fields = parser.list();
  parser.expectEnd();

  return fields;
}

class FieldListParser {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  list(): readonly RequestedField[] {
    const fields = [this.#field()];
    while (this.#take(/,/y) !== undefined) {
      fields.push(this.#field());
    }

    return fields;
  }

  expectEnd(): void {
    if (this.#position < this.#text.length) {
      this.#fail(`Expected end of string instead of "${this.#text[this.#position]}".`);
    }
  }

  #field(): RequestedField {
    const [name = ''] = this.#take(/\s*[a-z_]\w*\s*/iy) ?? this.#fail('Expected a name.');
    const modifiers: Record<string, string> = {};
    for (let found = this.#modifier(); found; found = this.#modifier()) {
      modifiers[found.name] = found.value;
    }
    const { as: alias, ...others } = modifiers;

    return {
      name: name.trim(),
      ...(alias === undefined ? {} : { alias }),
      modifiers: others,
      ...this.#nested(),
    };
  }

  #modifier(): { readonly name: string; readonly value: string } | undefined {
    const [, name = '', value = ''] = this.#take(/\.(\w+)\(([^()]*)\)\s*/y) ?? [];

    return name === '' ? undefined : { name, value };
  }

  #nested(): { readonly nested?: readonly RequestedField[] } {
    if (this.#take(/\{/y) === undefined) {
      return {};
    }
    const nested = this.list();
    if (this.#take(/\}\s*/y) === undefined) {
      this.#fail('Expected "}".');
    }

    return { nested };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text) ?? undefined;
    this.#position = found === undefined ? this.#position : pattern.lastIndex;

    return found;
  }

  #fail(problem: string): never {
    return reject({
      status: 400,
      code: 2500,
      message: `Syntax error "${problem}" at character ${this.#position}: ${this.#text}`,
    });
  }
}
