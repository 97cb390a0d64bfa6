import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passwordProblems } from '#lib/features/auth/weak-passwords.ts';

const tooCommon = ['password is too common'];
const common = (password: string) => passwordProblems('password', password);

const owner = { email: 'ada.lovelace@example.com', firstName: 'Augusta Ada', lastName: 'Lovelace' };
const personal = (password: string) => passwordProblems('password', password, owner);

describe('a common password', () => {
  it.each([
    ['on the list', 'QWERTYUIOP'],
    ['in full width', 'ｐａｓｓｗｏｒｄ'],
    ['with spaces around it', '  password  '],
    ['with spaces in it', 'p a s s w o r d'],
    ['with invisible characters', 'pass\u200Bword\u00AD'],
    ['of spaces', '        '],
    ['of other white space', '\t\u00A0\u2003\u3000\u2028\n\r '],
    ['of invisible characters', '\u200B\u200C\u200D\u2060\uFEFF\u180E\u034F\u3164'],
    ['of one character', '!!!!!!!!'],
    ['of one character and spaces', 'i       '],
    ['of two characters', 'xyyxxyyx'],
    ['that counts up', 'hijklmnop'],
    ['that counts down', 'ponmlkjih'],
    ['of digits that count up', '23456789'],
  ])('is rejected: %s', (_, password) => {
    expect(common(password)).toEqual(tooCommon);
  });

  it.each([
    'correct horse battery',
    ' leading and trailing ',
    'my cat 7',
    'пароль не из списка',
    '密码不在名单上面的',
    'x'.repeat(72),
    'é'.repeat(36),
  ])('does not include %j', (password) => {
    expect(common(password)).toEqual([]);
  });

  it('does not include random characters', () => {
    const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const random = fc.uniqueArray(character, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(random, (characters) => {
        fc.pre(characters.join('') !== [...characters].sort().join(''));
        expect(common(characters.join(''))).toEqual([]);
      }),
    );
  });
});

describe('a personal password', () => {
  it.each([
    'Ada.Lovelace@example.com',
    'ada.lovelace',
    'lovelace',
    'augusta ada',
    'AugustaAda Lovelace',
    'Lovelace Augusta Ada',
    ' ada.lovelace ',
  ])('is rejected: %j', (password) => {
    expect(personal(password)).toEqual(tooCommon);
  });

  it.each(['ada.lovelace.1815', 'Lovelace loves engines', 'example.com'])(
    'does not include %j',
    (password) => {
      expect(personal(password)).toEqual([]);
    },
  );
});
