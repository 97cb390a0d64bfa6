import { distance } from 'fastest-levenshtein';
import { cutToLength } from '#lib/platform/characters.ts';
import type { Issue, IssuePlace } from '#schemas/errors.ts';
import type * as z from '#schemas/zod.ts';

export const maxReported = 20;
/** The name comes from the caller, so it can be as long as the body. */
const maxNameLength = 100;

/** Returns the fields that the schema does not have, at any depth, up to a limit. */
export function findUnknownFields(
  schema: z.ZodType,
  given: unknown,
  place: IssuePlace,
): readonly Issue[] {
  const found: UnknownField[] = [];
  collect(schema, given, '', found);

  return found
    .slice(0, maxReported)
    .map((field) => ({ in: place, ...field, rule: 'unknown' as const }));
}

type UnknownField = Pick<Issue, 'path' | 'message'>;

function collect(type: z.core.$ZodType, given: unknown, path: string, found: UnknownField[]): void {
  if (typeof given !== 'object' || given === null || found.length >= maxReported) {
    return;
  }
  const { def } = (type as z.ZodType)._zod as unknown as { readonly def: SchemaDefinition };
  switch (def.type) {
    case 'object':
      collectFromObject(def, Array.isArray(given) ? {} : given, path, found);
      break;
    case 'array':
      for (const [index, element] of (Array.isArray(given) ? given : []).entries()) {
        collect(def.element, element, `${path}${index}.`, found);
      }
      break;
    case 'union':
      found.push(...fewestOf(def.options, given, path));
      break;
    case 'pipe':
      collect(isTransform(def.in) ? def.out : def.in, given, path, found);
      break;
    default:
      // Wrappers such as `optional` and `nullable`. Maps and values without a schema accept any
      // name.
      if ('innerType' in def) {
        collect(def.innerType, given, path, found);
      }
  }
}

type SchemaDefinition =
  | ({ readonly type: 'object' } & ObjectDefinition)
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'union'; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: 'pipe'; readonly in: z.core.$ZodType; readonly out: z.core.$ZodType }
  | { readonly type: 'other'; readonly innerType: z.core.$ZodType };

type ObjectDefinition = {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  /**
   * Set for a strict object, which reports its unknown fields itself, and for a map with any names.
   */
  readonly catchall?: z.core.$ZodType;
};

function collectFromObject(
  { shape, catchall }: ObjectDefinition,
  given: object,
  path: string,
  found: UnknownField[],
): void {
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field) {
      collect(field, value, `${path}${name}.`, found);
    } else if (!catchall && found.length < maxReported) {
      found.push(unknownField(name, path, shape, given));
    }
  }
}

/** Returns the result of the variant that has most of the given fields. */
function fewestOf(
  options: readonly z.core.$ZodType[],
  given: object,
  path: string,
): readonly UnknownField[] {
  const [fewest = []] = options
    .map((option) => {
      const found: UnknownField[] = [];
      collect(option, given, path, found);

      return found;
    })
    .toSorted((one, other) => one.length - other.length);

  return fewest;
}

function isTransform(type: z.core.$ZodType): boolean {
  return type._zod.def.type === 'transform';
}

function unknownField(
  name: string,
  path: string,
  shape: ObjectDefinition['shape'],
  given: object,
): UnknownField {
  const shown = `${path}${cutToLength(name, maxNameLength)}`;
  const missing = Object.keys(shape).filter((known) => !Object.hasOwn(given, known));
  const meant = nearestTo(name.slice(0, maxNameLength), missing);
  const suggestion = meant === undefined ? '' : ` Did you mean ${path}${meant}?`;

  return { path: shown, message: `${shown} is not a field of this request.${suggestion}` };
}

/** Allows two wrong letters of five. */
const maxWrongShare = 0.4;

function nearestTo(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainName(name);
  const [nearest] = candidates
    .map((candidate) => ({ candidate, wrong: distance(plain, plainName(candidate)) }))
    .filter(
      ({ candidate, wrong }) =>
        wrong <= plain.length * maxWrongShare ||
        lettersOf(plain) === lettersOf(plainName(candidate)),
    )
    .toSorted((one, other) => one.wrong - other.wrong);

  return nearest?.candidate;
}

/** Swapping two letters counts as two errors, which is a large share of a short name. */
function lettersOf(name: string): string {
  return [...name].toSorted().join('');
}

/** Makes `scheduled_at` similar to `scheduledAt`. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
