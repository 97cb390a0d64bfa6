import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { logger, metricsLogger } from '#lib/platform/log/logger.ts';
import { acceptsAnonymous, type Contract } from '#schemas/contract.ts';
import { localSecret } from '#scripts/dev/stack/local-secret.ts';

type Line = Readonly<Record<string, unknown>>;

type Entry = { readonly text: string; readonly line: Line };

/** The lines that the service has logged in this test file. */
const written: Entry[] = [];
/** Log lines that should never have been written. */
const faults: string[] = [];
/** Passwords, tokens and secrets that callers have sent or received. */
const seenSecrets = new Set<string>();

const ownSecrets = [...JSON.stringify(JSON.parse(localSecret({}))).matchAll(/"([^"]{16,})"/g)]
  .map(([, value = '']) => value)
  .filter((value) => !/-(app|verify|app-token)$/.test(value));
/** Session tokens, password hashes, vendor keys and encrypted values. */
const forbiddenPatterns = [
  /\beyJ[\w-]+\.eyJ/,
  /\$2[abxy]\$\d\d\$/,
  /\b(sk_test|whsec)_\w/,
  /\bv1\.local\./,
];
const secretName = /^(password|\w+Password|token|\w+Token|clientSecret|secret|signingSecret)$/;
/** Matches any text that could contain such a name, even with escaped letters. */
const mayNameSecret = /password|token|secret|\\u/i;
const shortestSecret = 12;

/** Captures the log of a test file and prints nothing. */
export function keepLog(): void {
  written.length = 0;
  faults.length = 0;
  seenSecrets.clear();
  const book = new Writable({
    write: (chunk, _, done) => {
      note(String(chunk));
      done();
    },
  });
  for (const one of [logger, metricsLogger]) {
    Reflect.set(one, 'console', new Console({ stdout: book, stderr: book }));
  }
  logger.setLogLevel('INFO');
}

/** Records a log text, which must be one line of JSON without any of our own secrets. */
function note(text: string): void {
  const line = parsed(text);
  const isOneLine = text.indexOf('\n') === text.length - 1;
  const isSecret =
    ownSecrets.some((secret) => text.includes(secret)) ||
    forbiddenPatterns.some((pattern) => pattern.test(text));
  if (!isOneLine || isSecret || typeof line !== 'object') {
    faults.push(text);
  }
  written.push({ text, line: (line ?? {}) as Line });
}

/** Returns the current position in the log. */
export function placeInLog(): number {
  return written.length;
}

/** Returns the log texts written since the given position. */
export function logSince(place: number): readonly string[] {
  return written.slice(place).map(({ text }) => text);
}

/** Returns the lines since the given position that count a metric with this name. */
export function metricLinesSince(place: number, metric: string): readonly Line[] {
  return written
    .slice(place)
    .map(({ line }) => line)
    .filter((line) => '_aws' in line && metric in line);
}

const shortestLine = 20;

/**
 * Expects that this file's log contains no tokens from the mail, and at most single sentences of
 * its text.
 */
export function expectUnwritten(mailText: string): void {
  const tokens = [...mailText.matchAll(/[?&]token=([\w-]+)/g)].map(([, token = '']) => token);
  const lines = mailText
    .split('\n')
    .filter(({ length }) => length >= shortestLine)
    .map((line) => JSON.stringify(line).slice(1, -1));
  const telling = written.filter(
    ({ text }) =>
      tokens.some((token) => text.includes(token)) ||
      lines.filter((line) => text.includes(line)).length > 1,
  );
  expect(telling.map(({ text }) => text)).toEqual([]);
}

/** Returns all secrets that callers have sent or received in this test file. */
export function secretsHeard(): ReadonlySet<string> {
  return seenSecrets;
}

/** Not recursive, because a body may be nested deeper than the call stack allows. */
function secretsIn(value: unknown): readonly string[] {
  const secrets: string[] = [];
  const rest: Array<readonly [string, unknown]> = [['', value]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [name, one] = next;
    if (typeof one === 'string' && secretName.test(name) && one.length >= shortestSecret) {
      secrets.push(one);
    }
    if (typeof one === 'object' && one !== null) {
      rest.push(...Object.entries(one));
    }
  }

  return secrets;
}

type Exchange = {
  readonly contract: Contract;
  readonly request: {
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly cookies?: readonly string[] | undefined;
    readonly body?: string | undefined;
  };
  readonly answer: {
    readonly statusCode: number;
    readonly headers?: Readonly<Record<string, unknown>> | undefined;
    readonly cookies?: readonly string[] | undefined;
    readonly body?: string | undefined;
  };
};

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Skips texts that contain no secret's name, because some bodies are long or nested very deeply.
 */
function secretsInBody(text: string | undefined): readonly string[] {
  return text && mayNameSecret.test(text) ? secretsIn(parsed(text)) : [];
}

function secretsOf({ request, answer }: Exchange): readonly string[] {
  const { authorization = '' } = request.headers;
  const given = [
    authorization.replace(/^Bearer /, ''),
    ...[...(request.cookies ?? []), ...(answer.cookies ?? [])].map(
      (cookie) => /=([^;]*)/.exec(cookie)?.[1] ?? '',
    ),
  ].filter((value) => value.length >= shortestSecret);

  return [...given, ...secretsInBody(request.body), ...secretsInBody(answer.body)];
}

/**
 * Expects one log line for the request with its operation, caller and status, and no secrets in any
 * line.
 */
export function expectLogged(exchange: Exchange, place: number): void {
  const { contract, answer } = exchange;
  const requestId = answer.headers?.['x-request-id'];
  const entries = written
    .slice(place)
    .filter(({ line }) => line.requestId === requestId || line.requestId === undefined);
  const own = entries
    .map(({ line }) => line)
    .filter((line) => line.message === 'request' && line.requestId === requestId);
  expect(faults).toEqual([]);
  expect(own[0], `${contract.operationId} wrote no line`).toMatchObject({
    operation: contract.operationId,
    route: `${contract.method} ${contract.path}`,
    statusCode: answer.statusCode,
    durationMs: expect.any(Number),
    ...expectedCaller(exchange),
  });
  const text = entries.map((entry) => entry.text).join('');
  expectNoneOf(text, secretsOf(exchange), answer.statusCode);
}

/** Returns the expected caller: the user, and the organization if the endpoint belongs to one. */
function expectedCaller({ contract, request, answer }: Exchange): Line {
  const { access } = contract;
  const hasCredentials = request.headers.authorization ?? request.cookies;
  const isAnonymous = access.kind === 'public' || (acceptsAnonymous(access) && !hasCredentials);
  if (isAnonymous || answer.statusCode >= 300) {
    return {};
  }
  if (access.kind === 'operator') {
    return { operatorKeyId: 'local' };
  }
  const userId = expect.any(String);

  return access.kind === 'member' ? { userId, organizationId: expect.any(String) } : { userId };
}

function expectNoneOf(text: string, secrets: readonly string[], statusCode: number): void {
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  if (statusCode < 300) {
    for (const secret of secrets) {
      seenSecrets.add(secret);
    }
  }
}
