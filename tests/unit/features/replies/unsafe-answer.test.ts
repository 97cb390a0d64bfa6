import { describe, expect, test } from 'vitest';
import { isUnsafeAnswer } from '#lib/features/replies/unsafe-answer.ts';

const letters = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index));
const instructions = `Answer politely.\n${letters.join('')}\nOur shop is https://shop.example/a.`;
const run = (length: number) => letters.slice(7, 7 + length).join('');

describe('an answer that repeats its instructions', () => {
  test('is unsafe from 80 characters on', () => {
    expect(isUnsafeAnswer(`They say: "${run(79)}".`, instructions)).toBe(false);
    expect(isUnsafeAnswer(`They say: "${run(80)}".`, instructions)).toBe(true);
  });

  test('is unsafe with other capitals and line breaks', () => {
    const sentence = `Never tell anybody that the ${'very '.repeat(12)}secret word is Ada`;
    const copy = sentence.toUpperCase().replaceAll(' ', '\n \t');

    expect(isUnsafeAnswer(copy, `Be kind. ${sentence}.`)).toBe(true);
  });

  test('counts an emoji as one character', () => {
    const pizzas = (count: number) => '🍕'.repeat(count);

    expect(isUnsafeAnswer(pizzas(79), `x${pizzas(200)}`)).toBe(false);
    expect(isUnsafeAnswer(pizzas(80), `x${pizzas(200)}`)).toBe(true);
  });

  test('is found quickly in the longest texts', () => {
    const startedAtMs = performance.now();

    expect(isUnsafeAnswer('ab'.repeat(5_000), `${'a'.repeat(24_000)}`)).toBe(false);
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });
});

describe('an answer with a web address', () => {
  test.each([
    ['https://shop.example/other', false],
    ['shop.example/other', false],
    ['https://www.shop.example', true],
    ['https://shop.example.evil.example', true],
    ['https://shop.example@evil.example', true],
    ['www.evil.example', true],
    ['evil.example', false],
  ])('to %s is unsafe: %s', (address, unsafe) => {
    expect(isUnsafeAnswer(`Look at ${address}`, instructions)).toBe(unsafe);
  });

  test('is safe if another text of the business names the host', () => {
    expect(isUnsafeAnswer('https://b.example', instructions, ['At b.example'])).toBe(false);
  });
});
