import type { Item } from '../attribute-value.ts';
import { invalid } from '../table-error.ts';
import { pickAttributes } from '../table-schema.ts';
import { parseProjection } from './parse-projection.ts';
import type { Placeholders } from './placeholders.ts';
import { remember } from './remember.ts';

export type Projection = {
  /** Undefined for all attributes. */
  readonly names: readonly string[] | undefined;
  readonly project: (item: Item) => Item;
};

const parse = remember(parseProjection);
const expressionName = 'ProjectionExpression';

export function bindProjection(text: string | undefined, placeholders: Placeholders): Projection {
  if (text === undefined) {
    return { names: undefined, project: (item) => item };
  }
  const names = placeholders.resolve(parse(text, expressionName), expressionName);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw invalid(
      `Invalid ${expressionName}: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${repeated}], path two: [${repeated}]`,
    );
  }

  return { names, project: (item) => pickAttributes(item, names) };
}
