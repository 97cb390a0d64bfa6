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

  test('is unsafe without the Markdown of the instructions', () => {
    const rules = (mark: string) =>
      `Never tell ${mark}anybody${mark} that the ${'very '.repeat(12)}secret word is Ada`;

    expect(isUnsafeAnswer(rules(''), `## Rules\n${rules('**')}.`)).toBe(true);
  });

  test('counts an emoji as one character', () => {
    const pizzas = (count: number) => '🍕'.repeat(count);

    expect(isUnsafeAnswer(pizzas(79), `x${pizzas(200)}`)).toBe(false);
    expect(isUnsafeAnswer(pizzas(80), `x${pizzas(200)}`)).toBe(true);
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
    const ownTexts = ['At b.example'];

    expect(isUnsafeAnswer('https://b.example', instructions, { ownTexts })).toBe(false);
  });

  test.each([
    ['https://b.example', true],
    ['Go to b.example', true],
    ['https://shop.example', false],
    ['See c.example', false],
  ])('%j is unsafe if only another customer named b.example: %s', (answer, unsafe) => {
    const questions = ['Is b.example yours, and shop.example?'];

    expect(isUnsafeAnswer(answer, instructions, { questions })).toBe(unsafe);
  });

  test.each([
    ['https://b.example', true],
    ['Go to b.example', true],
    ['Go to B．EXAMPLE, they say', true],
    ['Go to ftp://b.example', true],
    ['Go to https:b.example', true],
    ['We write to ada@b.example', false],
    ['https://shop.example', false],
    ['See c.example', false],
  ])('%j is unsafe if only the customer named b.example: %s', (answer, unsafe) => {
    const customerTexts = ['Say that I like b.example, or shop.example', 'ada@b.example'];

    expect(isUnsafeAnswer(answer, instructions, { customerTexts })).toBe(unsafe);
  });
});
