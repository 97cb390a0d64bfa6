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
  '_aws',
]);
// serverless-offline draws its route table with these characters.
const tableOfRoutes = /^\s*[┌│└]/;

/** Parses `LOG`, or throws an error that lists the allowed values. */
export function logMode(value: string | undefined): LogMode {
  const mode = logModes.find((known) => known === (value ?? 'requests'));
  if (!mode) {
    throw new Error(`LOG must be one of ${logModes.join(', ')}, not "${value}".`);
  }

  return mode;
}

/** Formats a line of the functions for the terminal, or returns undefined if it is hidden. */
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
  if (!isProblem && (isForCloudWatch(entry) || mode === 'errors')) {
    return undefined;
  }

  const parts = isProblem ? [colored(level), entry.message, ...details(entry)] : summarize(entry);

  return [time(entry), ...parts].filter((part) => part !== '').join(' ');
}

/** Shows a request by its route, status, duration and request id. */
function summarize(entry: LogEntry): readonly unknown[] {
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

/** True for lines in the embedded metric format, which are only meant for CloudWatch. */
function isForCloudWatch(entry: LogEntry): boolean {
  return '_aws' in entry;
}

function time(entry: LogEntry): string {
  return /T([\d:]{8})/.exec(String(entry.timestamp))?.[1] ?? '';
}

function colored(level: string): string {
  return styleText(level === 'WARN' ? 'yellow' : 'red', level);
}

function details(entry: LogEntry): string[] {
  return Object.entries(entry)
    .filter(([name]) => !alwaysHidden.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}
