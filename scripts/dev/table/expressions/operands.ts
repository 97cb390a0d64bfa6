import { unsupported } from '../table-error.ts';
import { reservedWords } from './reserved-words.ts';
import type { Tokens } from './tokens.ts';

/** The parts of a document path: attribute names and `#` placeholders. */
export type Path = readonly string[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  /** A `:` placeholder. */
  | { readonly kind: 'value'; readonly name: string };

export function parseOperand(tokens: Tokens): Operand {
  const next = tokens.peek();
  if (next?.startsWith(':')) {
    return { kind: 'value', name: tokens.take() };
  }
  if (tokens.peek(1) === '(') {
    throw unsupported(`the function ${next} in a ${tokens.expressionName}`);
  }

  return { kind: 'path', path: parsePath(tokens) };
}

export function parsePath(tokens: Tokens): Path {
  const path = [parseName(tokens)];
  while (tokens.skips('.')) {
    path.push(parseName(tokens));
  }

  return path;
}

function parseName(tokens: Tokens): string {
  if (!/^[#\w]/.test(tokens.peek() ?? '')) {
    throw tokens.syntaxError();
  }
  const name = tokens.take();
  if (reservedWords.has(name.toUpperCase())) {
    throw tokens.error(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
  }

  return name;
}

/** Parses one or more elements, separated by commas. */
export function parseList<T>(tokens: Tokens, parseOne: (tokens: Tokens) => T): readonly T[] {
  const list = [parseOne(tokens)];
  while (tokens.skips(',')) {
    list.push(parseOne(tokens));
  }

  return list;
}
