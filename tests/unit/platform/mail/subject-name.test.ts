import { describe, expect, it } from 'vitest';
import { subjectName } from '#lib/platform/mail/subject-name.ts';

describe('subjectName', () => {
  it.each([
    'Ada Lovelace',
    'J.R.R. Tolkien',
    'St. John',
    'Version 2.0',
    'Müller & Söhne GmbH',
    '👩‍👩‍👧 Family',
    'نادي',
  ])('keeps %s', (name) => {
    expect(subjectName(name, 'x')).toBe(name);
  });

  it.each([
    ['Eve v@evil.example now', 'Eve now'],
    ['Locked: https://evil.example/x', 'Locked:'],
    ['See www.evil.example', 'See'],
    ['See https:evil.example', 'See'],
    ['evil.example/login now', 'now'],
    ['evil.example:8080', 'x'],
    ['Booking.com', 'Booking com'],
    ['evil。example', 'evil example'],
    ['evil\u200B.example', 'evil example'],
    ['192.168.0.1', '192 168 0 1'],
    ['\u202Egro.elgoog\u202C', 'gro elgoog'],
    ['Ada\r\nBcc: x', 'Ada Bcc: x'],
    ['\u0000\u2066', 'x'],
  ])('cleans %j', (name, shown) => {
    expect(subjectName(name, 'x')).toBe(shown);
  });

  it('shows at most 60 characters, without splitting one', () => {
    const shown = subjectName('𝒜'.repeat(100), 'x');

    expect([...shown]).toHaveLength(60);
    expect(shown.isWellFormed()).toBe(true);
  });
});
