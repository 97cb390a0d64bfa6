import { cutToLength } from '#lib/platform/characters.ts';
import type { Contract } from '#schemas/contract.ts';
import type { Issue, IssuePlace, IssueRule } from '#schemas/errors.ts';
import type * as z from '#schemas/zod.ts';

type Problem = z.core.$ZodIssue;

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

function describeSize(issue: Problem): string | undefined {
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

function describe(issue: Problem): string {
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

/** The name comes from the caller, so it can be as long as the body. */
const maxShownName = 50;

/** An unknown field of a strict object is reported with its own path. */
function eachUnknownField(issue: Problem): readonly Problem[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        ...issue,
        path: [...issue.path, cutToLength(key, maxShownName)],
        message: 'is not allowed',
      }))
    : [issue];
}

/** An invalid property name is reported for the object that contains it. */
function pathOf(issue: Problem): string {
  const keys = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;

  return keys.map(String).join('.');
}

/**
 * Returns one issue per invalid field, with a message that starts with its dotted path. Only the
 * first problem of a field is reported.
 */
export function issuesIn(place: IssuePlace, problems: readonly Problem[]): readonly Issue[] {
  const byPath = new Map<string, Issue>();
  for (const problem of problems.flatMap(eachUnknownField)) {
    const path = pathOf(problem);
    if (!byPath.has(path)) {
      const message = `${path || 'body'} ${describe(problem)}`;
      byPath.set(path, { in: place, path, rule: ruleIn(message), message });
    }
  }

  return [...byPath.values()];
}

/** The messages alone. */
export function describeIssues(problems: readonly Problem[]): readonly string[] {
  return issuesIn('body', problems).map(({ message }) => message);
}

/** The rules by the text of their messages, which is the same wherever a rule is checked. */
const rulesByWords: ReadonlyArray<readonly [RegExp, IssueRule]> = [
  [/ is required/, 'required'],
  [/ must be one of the following values/, 'enum'],
  [/ must be an? (string|number|integer|boolean|array|object)$/, 'type'],
  [/ should not be empty| must not be less than | (be|contain) at least /, 'min'],
  [/ (shorter|greater|longer|more) than | at most | must not exceed | is too high/, 'max'],
  [/ must be (a valid |an? (email|URL|http|IANA|time|media type|language) ?)/, 'format'],
  [/ has an invalid format| must contain only | must have a host name/, 'format'],
  [/ is not allowed$| is not a field of /, 'unknown'],
  [/ cannot be combined with | together with | must have exactly one of /, 'conflict'],
];

function ruleIn(message: string): IssueRule {
  return rulesByWords.find(([words]) => words.test(message))?.[1] ?? 'rule';
}

/** Returns the issue of a message. The message starts with the path of its field. */
export function issueOf(
  message: string,
  contract: Pick<Contract, 'params' | 'query' | 'body'>,
): Issue {
  const [path = ''] = /^[\w-]+(\.[\w-]+)*(?= )/.exec(message) ?? [];
  const place = placeOf(path.split('.')[0] ?? '', contract);

  return { in: place ?? 'body', path: place ? path : '', rule: ruleIn(message), message };
}

const headerNames = new Set(['X-Organization-Id', 'Idempotency-Key']);

function placeOf(
  name: string,
  { params, query, body }: Pick<Contract, 'params' | 'query' | 'body'>,
): IssuePlace | undefined {
  const places = [
    ['body', body],
    ['query', query],
    ['path', params],
  ] as const;
  const [place] = places.find(([, schema]) => schema && Object.hasOwn(schema.shape, name)) ?? [];

  return place ?? (headerNames.has(name) ? 'header' : undefined);
}
