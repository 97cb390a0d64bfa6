import { describe, expect, it } from 'vitest';
import { mailName, withoutAddresses } from '#lib/platform/mail/strangers-text.ts';

describe('mailName', () => {
  it.each([
    'Ada Lovelace',
    'J.R.R. Tolkien',
    'St. John',
    'Version 2.0',
    'Müller & Söhne GmbH',
    '👩‍👩‍👧 Family',
    'نادي',
  ])('keeps %s', (name) => {
    expect(mailName(name, 'x')).toBe(name);
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
    ['Eve @evil', 'Eve @evil'],
  ])('cleans %j', (name, shown) => {
    expect(mailName(name, 'x')).toBe(shown);
  });

  it('shows at most 60 characters, without splitting one', () => {
    const shown = mailName('𝒜'.repeat(100), 'x');

    expect([...shown]).toHaveLength(60);
    expect(shown.isWellFormed()).toBe(true);
  });
});

describe('withoutAddresses', () => {
  it.each([
    ['Come to https://evil.example/x\nBye', 'Come to [link]\nBye'],
    ['mail eve@evil.example', 'mail [link]'],
    ['@shop, see evil.example.', '@shop, see evil example.'],
    ['evil\u200B.exa\u00ADmple \u202Egro', 'evil example gro'],
    ['https://\nevil.example', '[link]\nevil example'],
    ['Costs 3.50, e.g. now', 'Costs 3.50, e.g. now'],
  ])('cleans %j', (text, shown) => {
    expect(withoutAddresses(text)).toBe(shown);
  });
});
