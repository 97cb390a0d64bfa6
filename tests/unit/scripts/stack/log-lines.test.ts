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

describe('readableLine', () => {
  test('shortens a request to one line', () => {
    expect(shown(request, 'requests')).toBe('09:30:12 POST /auth/login 200 45 ms r-1');
  });

  test('prints the fields of other log lines', () => {
    const line = JSON.stringify({ level: 'INFO', message: 'work sent', count: 3, kind: 'mail' });

    expect(shown(line, 'requests')).toBe('work sent count=3 kind=mail');
  });

  test('hides requests in errors mode', () => {
    expect(shown(request, 'errors')).toBeUndefined();
  });

  test('shows problems with their level', () => {
    expect(shown(warning, 'errors')).toBe('WARN mail refused reason=bounced');
  });

  test('hides CloudWatch metrics', () => {
    const metrics = { level: 'INFO', message: 'metrics', _aws: {}, Requests: 3 };

    expect(readableLine(JSON.stringify(metrics), 'requests')).toBeUndefined();
  });

  test('passes on lines that are not JSON', () => {
    expect(shown('Error: boom', 'errors')).toBe('Error: boom');
    expect(shown('{ not json', 'errors')).toBe('{ not json');
  });

  test('hides the table of routes', () => {
    expect(shown(' │   GET  | http://localhost:3000/health │', 'requests')).toBeUndefined();
  });

  test('passes on all lines in all mode', () => {
    expect(shown(request, 'all')).toBe(request);
  });
});

describe('logMode', () => {
  test('accepts requests, errors, and all', () => {
    expect([undefined, 'requests', 'errors', 'all'].map(logMode)).toEqual([
      'requests',
      'requests',
      'errors',
      'all',
    ]);
  });

  test('lists the accepted values when it rejects one', () => {
    expect(() => logMode('loud')).toThrow('LOG must be one of requests, errors, all, not "loud".');
  });
});
