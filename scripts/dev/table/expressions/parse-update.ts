import { unsupported } from '../table-error.ts';
import { type Path, parseList, parseOperand, parsePath } from './operands.ts';
import { Tokens } from './tokens.ts';

/** `value` is a `:` placeholder. */
type Assignment = { readonly path: Path; readonly value: string };

export type Update = {
  readonly set: readonly Assignment[];
  readonly remove: readonly Path[];
  readonly add: readonly Assignment[];
};

const sections = ['SET', 'REMOVE', 'ADD'] as const;

export function parseUpdate(text: string, expressionName: string): Update {
  const tokens = new Tokens(expressionName, text);
  const update: { -readonly [Part in keyof Update]: Update[Part] } = {
    set: [],
    remove: [],
    add: [],
  };
  const seen = new Set<string>();
  do {
    const section = sections.find((name) => tokens.skips(name));
    if (section === undefined) {
      throw tokens.peek()?.toUpperCase() === 'DELETE'
        ? unsupported('DELETE in an UpdateExpression')
        : tokens.syntaxError();
    }
    if (seen.has(section)) {
      throw tokens.error(`The "${section}" section can only be used once in an update expression;`);
    }
    seen.add(section);
    if (section === 'SET') {
      update.set = parseList(tokens, parseSet);
    } else if (section === 'REMOVE') {
      update.remove = parseList(tokens, parsePath);
    } else {
      update.add = parseList(tokens, parseAddition);
    }
  } while (tokens.peek() !== undefined);

  return update;
}

function parseSet(tokens: Tokens): Assignment {
  const path = parsePath(tokens);
  tokens.expect('=');
  const operand = parseOperand(tokens);
  if (operand.kind !== 'value') {
    throw unsupported('SET to an attribute');
  }

  return { path, value: operand.name };
}

function parseAddition(tokens: Tokens): Assignment {
  const path = parsePath(tokens);
  if (!tokens.peek()?.startsWith(':')) {
    throw tokens.syntaxError();
  }

  return { path, value: tokens.take() };
}
