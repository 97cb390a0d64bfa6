import { unsupported } from '../table-error.ts';
import { type Operand, type Path, parseOperand, parsePath } from './operands.ts';
import { Tokens } from './tokens.ts';

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'AND' | 'OR'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'NOT'; readonly inner: Condition }
  | {
      readonly kind: 'compare';
      readonly comparator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | {
      readonly kind: 'between';
      readonly operand: Operand;
      readonly low: Operand;
      readonly high: Operand;
    }
  | { readonly kind: 'exists'; readonly path: Path; readonly isExpected: boolean };

const comparators: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const otherFunctions: ReadonlySet<string> = new Set([
  'attribute_type',
  'begins_with',
  'contains',
  'size',
]);
const maxOperators = 300;

export function parseCondition(text: string, expressionName: string): Condition {
  const parser = new ConditionParser(new Tokens(expressionName, text));

  return parser.parse();
}

class ConditionParser {
  private readonly tokens: Tokens;
  private operators = 0;
  /** The conditions that were written in parentheses. */
  private readonly inParentheses = new Set<Condition>();

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  parse(): Condition {
    const condition = this.parseOr();
    this.tokens.expectEnd();
    if (this.operators > maxOperators) {
      throw this.tokens.error(
        `The expression contains too many operators; operator count: ${maxOperators + 1}`,
      );
    }

    return condition;
  }

  private parseOr(): Condition {
    let left = this.parseAnd();
    while (this.tokens.skips('OR')) {
      left = this.counted({ kind: 'OR', left, right: this.parseAnd() });
    }

    return left;
  }

  private parseAnd(): Condition {
    let left = this.parseNot();
    while (this.tokens.skips('AND')) {
      left = this.counted({ kind: 'AND', left, right: this.parseNot() });
    }

    return left;
  }

  private parseNot(): Condition {
    if (this.tokens.skips('NOT')) {
      return this.counted({ kind: 'NOT', inner: this.parseNot() });
    }

    return this.tokens.peek() === '(' ? this.parseParentheses() : this.parseComparison();
  }

  private parseParentheses(): Condition {
    this.tokens.expect('(');
    const inner = this.parseOr();
    this.tokens.expect(')');
    if (this.inParentheses.has(inner)) {
      throw this.tokens.error('The expression has redundant parentheses;');
    }
    this.inParentheses.add(inner);

    return inner;
  }

  private parseComparison(): Condition {
    if (this.tokens.peek(1) === '(') {
      return this.counted(this.parseFunction());
    }
    const left = parseOperand(this.tokens);
    if (this.tokens.skips('BETWEEN')) {
      const low = parseOperand(this.tokens);
      this.tokens.expect('AND');

      return this.counted({ kind: 'between', operand: left, low, high: parseOperand(this.tokens) });
    }
    if (this.tokens.skips('IN')) {
      throw unsupported(`IN in a ${this.tokens.expressionName}`);
    }
    const sign = this.tokens.peek() ?? '';
    if (!comparators.has(sign)) {
      throw this.tokens.syntaxError();
    }
    const comparator = this.tokens.take() as Comparator;

    return this.counted({ kind: 'compare', comparator, left, right: parseOperand(this.tokens) });
  }

  private parseFunction(): Condition {
    const name = this.tokens.take();
    if (otherFunctions.has(name)) {
      throw unsupported(`the function ${name} in a ${this.tokens.expressionName}`);
    }
    if (name !== 'attribute_exists' && name !== 'attribute_not_exists') {
      throw this.tokens.error(`Invalid function name; function: ${name}`);
    }
    this.tokens.expect('(');
    if (this.tokens.peek()?.startsWith(':')) {
      throw this.tokens.error(
        `Operator or function requires a document path; operator or function: ${name}`,
      );
    }
    const path = parsePath(this.tokens);
    this.tokens.expect(')');

    return { kind: 'exists', path, isExpected: name === 'attribute_exists' };
  }

  private counted(condition: Condition): Condition {
    this.operators += 1;

    return condition;
  }
}
