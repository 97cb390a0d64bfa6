import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { logMode, readableLine } from '#scripts/dev/stack/log-lines.ts';

const request = JSON.stringify({
  level: 'INFO',
  message: 'request',
  timestamp: '2026-01-15T09:30:12.345Z',
  service: 'social-leads',
  function_name: 'social-leads-local-login',
  route: 'POST /auth/login',
  statusCode: 200,
  durationMs: 45,
  requestId: 'r-1',
});
const warning = JSON.stringify({ level: 'WARN', message: 'mail refused', reason: 'bounced' });

function shown(line: string, mode: Parameters<typeof readableLine>[1]) {
  const readable = readableLine(line, mode);

  return readable === undefined ? undefined : stripVTControlCharacters(readable);
}

describe('a log line', () => {
  test('of a request is one short line', () => {
    expect(shown(request, 'requests')).toBe('09:30:12 POST /auth/login 200 45 ms r-1');
  });

  test('of something else names what it holds', () => {
    const line = JSON.stringify({ level: 'INFO', message: 'work sent', count: 3, kind: 'mail' });

    expect(shown(line, 'requests')).toBe('work sent count=3 kind=mail');
  });

  test('of a request is not shown when only errors are asked for', () => {
    expect(shown(request, 'errors')).toBeUndefined();
  });

  test('of a problem is shown with its level', () => {
    expect(shown(warning, 'errors')).toBe('WARN mail refused reason=bounced');
  });

  test('of metrics for CloudWatch is not shown', () => {
    const metrics = { level: 'INFO', message: 'metrics', _aws: {}, Requests: 3 };

    expect(readableLine(JSON.stringify(metrics), 'requests')).toBeUndefined();
  });

  test('that is no JSON is shown as it is', () => {
    expect(shown('Error: boom', 'errors')).toBe('Error: boom');
    expect(shown('{ not json', 'errors')).toBe('{ not json');
  });

  test('of the table of routes is not shown', () => {
    expect(shown(' │   GET  | http://localhost:3000/health │', 'requests')).toBeUndefined();
  });

  test('is shown untouched when all is asked for', () => {
    expect(shown(request, 'all')).toBe(request);
  });
});

describe('LOG', () => {
  test('may say requests, errors or all', () => {
    expect([undefined, 'requests', 'errors', 'all'].map(logMode)).toEqual([
      'requests',
      'requests',
      'errors',
      'all',
    ]);
  });

  test('is refused with what it may say', () => {
    expect(() => logMode('loud')).toThrow('LOG must be one of requests, errors, all, not "loud".');
  });
});
