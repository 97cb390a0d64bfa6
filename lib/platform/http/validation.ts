import { cutToLength } from '#lib/platform/characters.ts';
import type * as z from '#schemas/zod.ts';

type Issue = z.core.$ZodIssue;

const expectations: Record<string, string> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be an integer',
  boolean: 'must be a boolean',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
};

const formats: Record<string, string> = {
  email: 'must be an email',
  uuid: 'must be a valid UUID',
  url: 'must be a URL address',
  datetime: 'must be a valid ISO 8601 date string',
  date: 'must be a valid ISO 8601 date string',
};

function describeSize(issue: Issue): string | undefined {
  if (issue.code === 'too_small') {
    const least = Number(issue.minimum);
    if (issue.origin === 'string') {
      return least === 1 ? 'should not be empty' : `must be at least ${least} characters`;
    }
    if (issue.origin === 'array') {
      return `must contain at least ${least} elements`;
    }

    return `must not be less than ${least}`;
  }
  if (issue.code === 'too_big') {
    const most = Number(issue.maximum);
    if (issue.origin === 'string') {
      return `must be shorter than or equal to ${most} characters`;
    }
    if (issue.origin === 'array') {
      return `must contain no more than ${most} elements`;
    }

    return `must not be greater than ${most}`;
  }

  return undefined;
}

function describe(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'is required'
      : (expectations[issue.expected] ?? `must be a ${issue.expected}`);
  }
  if (issue.code === 'invalid_value') {
    return issue.input === undefined
      ? 'is required'
      : `must be one of the following values: ${issue.values.map(String).join(', ')}`;
  }
  if (issue.code === 'invalid_format') {
    return formats[issue.format] ?? 'has an invalid format';
  }

  if (issue.code === 'invalid_key') {
    const [problem] = issue.issues;

    return `has a name that ${problem ? describe(problem) : 'is not allowed'}`;
  }

  return describeSize(issue) ?? issue.message;
}

/** The name comes from the caller, and can be as long as the body. */
const maxShownName = 50;

/** An unknown field of a strict object is reported by its own path. */
function eachUnknownField(issue: Issue): readonly Issue[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        ...issue,
        path: [...issue.path, cutToLength(key, maxShownName)],
        message: 'is not allowed',
      }))
    : [issue];
}

/** An invalid property name is reported for the object that contains it. */
function pathOf(issue: Issue): string {
  const keys = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;

  return keys.map(String).join('.') || 'body';
}

/**
 * Returns one message per invalid field, starting with its dotted path. Only the first problem of a
 * field is reported.
 */
export function describeIssues(issues: readonly Issue[]): readonly string[] {
  const byPath = new Map<string, string>();
  for (const issue of issues.flatMap(eachUnknownField)) {
    const path = pathOf(issue);
    if (!byPath.has(path)) {
      byPath.set(path, `${path} ${describe(issue)}`);
    }
  }

  return [...byPath.values()];
}
