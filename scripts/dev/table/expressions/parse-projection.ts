import { unsupported } from '../table-error.ts';
import { parseList, parsePath } from './operands.ts';
import { Tokens } from './tokens.ts';

/** Returns the names of attributes or their placeholders. */
export function parseProjection(text: string, expressionName: string): readonly string[] {
  const tokens = new Tokens(expressionName, text);
  const paths = parseList(tokens, parsePath);
  tokens.expectEnd();

  return paths.map(([name = '', ...nested]) => {
    if (nested.length > 0) {
      throw unsupported('nested attributes in a ProjectionExpression');
    }

    return name;
  });
}
