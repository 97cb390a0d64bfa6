import { epochSeconds } from '#lib/platform/clock.ts';
/** Collects the placeholders of one expression. */
export class Expression {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  /** Returns the placeholders of a dotted path. */
  name(path: string): string {
    return path
      .split('.')
      .map((part) => this.placeholderOf(part))
      .join('.');
  }

  private placeholderOf(attribute: string): string {
    const known = Object.entries(this.names).find(([, named]) => named === attribute);
    const placeholder = known?.[0] ?? `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = attribute;

    return placeholder;
  }

  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;

    return placeholder;
  }
}

export type Condition = (expression: Expression) => string;

export function equals(attribute: string, value: unknown): Condition {
  return (e) => `${e.name(attribute)} = ${e.value(value)}`;
}

export function differs(attribute: string, value: unknown): Condition {
  return (e) => `${e.name(attribute)} <> ${e.value(value)}`;
}

export function below(attribute: string, value: number | string): Condition {
  return (e) => `${e.name(attribute)} < ${e.value(value)}`;
}

export function above(attribute: string, value: number | string): Condition {
  return (e) => `${e.name(attribute)} > ${e.value(value)}`;
}

export function belowAttribute(attribute: string, other: string): Condition {
  return (e) => `${e.name(attribute)} < ${e.name(other)}`;
}

/** The attribute still has the value that was read. `undefined` means that it did not exist. */
export function unchanged(attribute: string, value: unknown): Condition {
  return value === undefined ? absent(attribute) : equals(attribute, value);
}

export function present(attribute: string): Condition {
  return (e) => `attribute_exists(${e.name(attribute)})`;
}

export function absent(attribute: string): Condition {
  return (e) => `attribute_not_exists(${e.name(attribute)})`;
}

export function either(...conditions: readonly Condition[]): Condition {
  return (e) => `(${conditions.map((condition) => condition(e)).join(' OR ')})`;
}

export function allOf(...conditions: readonly Condition[]): Condition {
  return (e) => conditions.map((condition) => condition(e)).join(' AND ');
}

/**
 * DynamoDB deletes expired items up to hours late. Until then they must be treated as missing. The
 * functions below agree on the exact second.
 */
export function isAlive(item: Readonly<Record<string, unknown>> | undefined): boolean {
  return (
    item !== undefined &&
    (item.expiresAtSeconds === undefined || Number(item.expiresAtSeconds) > epochSeconds())
  );
}

/** True if the item exists and has not expired. */
export function exists(): Condition {
  const lasts = either(absent('expiresAtSeconds'), above('expiresAtSeconds', epochSeconds()));

  return allOf(present('pk'), lasts);
}

/** True if the item does not exist or has expired. */
export function isGone(): Condition {
  return either(absent('pk'), below('expiresAtSeconds', epochSeconds(1)));
}
