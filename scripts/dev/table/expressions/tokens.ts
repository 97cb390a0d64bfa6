import { invalid, unsupported } from '../table-error.ts';

const pattern = /\s*(?:([a-z_]\w*)|([#:]\w+)|(<>|<=|>=|[=<>(),.]))/iy;
const spaces = /\s*$/y;
/** The signs of list elements and arithmetic. */
const otherSigns = '[+-';
const maxBytes = 4_096;

/** A reader of an expression's tokens. */
export class Tokens {
  /** The name for error messages, such as `ConditionExpression`. */
  readonly expressionName: string;
  private readonly list: readonly string[];
  private next = 0;

  constructor(expressionName: string, text: string) {
    this.expressionName = expressionName;
    this.list = this.split(text);
  }

  private split(text: string): readonly string[] {
    if (text === '') {
      throw this.error('The expression can not be empty;');
    }
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw this.error(
        `Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
      );
    }
    const list: string[] = [];
    for (let at = 0; ; at = pattern.lastIndex) {
      spaces.lastIndex = at;
      if (spaces.test(text)) {
        return list;
      }
      pattern.lastIndex = at;
      const [, name, placeholder, sign] = pattern.exec(text) ?? [];
      const token = name ?? placeholder ?? sign;
      if (token === undefined) {
        const sign = text.slice(at).trimStart().charAt(0);
        if (otherSigns.includes(sign)) {
          throw unsupported(`"${sign}" in a ${this.expressionName}`);
        }
        throw this.error(`Syntax error; near: "${text.slice(at, at + 20)}"`);
      }
      list.push(token);
    }
  }

  error(reason: string) {
    return invalid(`Invalid ${this.expressionName}: ${reason}`);
  }

  peek(ahead = 0): string | undefined {
    return this.list[this.next + ahead];
  }

  take(): string {
    const token = this.peek();
    if (token === undefined) {
      throw this.syntaxError();
    }
    this.next += 1;

    return token;
  }

  /** Takes the next token if it is this keyword or sign. */
  skips(wanted: string): boolean {
    const isNext = this.peek()?.toUpperCase() === wanted;
    if (isNext) {
      this.next += 1;
    }

    return isNext;
  }

  expect(wanted: string): void {
    if (!this.skips(wanted)) {
      throw this.syntaxError();
    }
  }

  expectEnd(): void {
    if (this.peek() !== undefined) {
      throw this.syntaxError();
    }
  }

  syntaxError() {
    const near = this.list.slice(Math.max(0, this.next - 1), this.next + 1).join(' ');

    return this.error(`Syntax error; token: "${this.peek() ?? '<EOF>'}", near: "${near}"`);
  }
}
