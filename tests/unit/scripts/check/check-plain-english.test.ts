import { describe, expect, it } from 'vitest';
import { bannedPhrases } from '#scripts/build/check/check-plain-english.ts';

describe('bannedPhrases', () => {
  it.each([
    ['a comment', '/** The receiver is told of it. */', 'is told'],
    ['a line of a comment', ' * Begins anew.', 'anew'],
    ['a trailing paragraph', '// It may take so long.', 'so long'],
    ['the title of a test', "it('is worked off once', () => {", 'worked off'],
  ])('reports a banned phrase in %s', (_where, line, phrase) => {
    expect(bannedPhrases('a.ts', `\n${line}`)).toEqual([
      expect.stringContaining(`a.ts:2 says "${phrase}". Write: `),
    ]);
  });

  it.each([
    ['code', "const anew = 'anew';"],
    ['a comment in plain English', '/** Returns the lead, or throws 404. */'],
    ['the idiom "so long as"', '// Valid so long as the session lives.'],
  ])('ignores %s', (_what, line) => {
    expect(bannedPhrases('a.ts', line)).toEqual([]);
  });
});
