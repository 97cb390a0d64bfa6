import { styleText } from 'node:util';

const logModes = ['requests', 'errors', 'all'] as const;
export type LogMode = (typeof logModes)[number];

type LogEntry = Readonly<Record<string, unknown>>;

const alwaysHidden = new Set([
  'timestamp',
  'level',
  'message',
  'service',
  'cold_start',
  'function_arn',
  'function_memory_size',
  'function_name',
  'function_request_id',
  'xray_trace_id',
  'sampling_rate',
]);
// serverless-offline frames its table of routes with these.
const tableOfRoutes = /^\s*[┌│└]/;

/** What `LOG` says, or an error that lists what it may say. */
export function logMode(value: string | undefined): LogMode {
  const mode = logModes.find((known) => known === (value ?? 'requests'));
  if (!mode) {
    throw new Error(`LOG must be one of ${logModes.join(', ')}, not "${value}".`);
  }

  return mode;
}

/** A line of the functions as a person wants to see it, or undefined for one that is not shown. */
export function readableLine(line: string, mode: LogMode): string | undefined {
  if (mode === 'all') {
    return line;
  }
  if (line.trim() === '' || tableOfRoutes.test(line)) {
    return undefined;
  }
  const entry = parseEntry(line);
  if (!entry) {
    return line;
  }
  const level = String(entry.level);
  const isProblem = level !== 'INFO' && level !== 'DEBUG';
  if (isForCloudWatch(entry) || (mode === 'errors' && !isProblem)) {
    return undefined;
  }

  const parts = isProblem ? [coloured(level), entry.message, ...details(entry)] : told(entry);

  return [time(entry), ...parts].filter((part) => part !== '').join(' ');
}

/** A request is told by its route, its outcome and what finds it again in an answer. */
function told(entry: LogEntry): readonly unknown[] {
  const { route, statusCode, durationMs, requestId } = entry;
  if (entry.message !== 'request' || typeof route !== 'string') {
    return [entry.message, ...details(entry)];
  }

  return [route, statusCode, `${durationMs} ms`, requestId];
}

function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(line);

    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is LogEntry {
  return typeof value === 'object' && value !== null && 'level' in value && 'message' in value;
}

/** The embedded metric format, of which a person has no use. */
function isForCloudWatch(entry: LogEntry): boolean {
  return '_aws' in entry;
}

function time(entry: LogEntry): string {
  return /T([\d:]{8})/.exec(String(entry.timestamp))?.[1] ?? '';
}

function coloured(level: string): string {
  return styleText(level === 'WARN' ? 'yellow' : 'red', level);
}

function details(entry: LogEntry): string[] {
  return Object.entries(entry)
    .filter(([name]) => !alwaysHidden.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}
