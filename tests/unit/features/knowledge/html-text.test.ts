import { describe, expect, it } from 'vitest';
import { textOfHtml } from '#lib/features/knowledge/reading/html-text.ts';

describe('textOfHtml', () => {
  it('returns one line for each block, and decodes entities', () => {
    const html =
      '<title>Shop</title><p>Fish &amp;\n chips &#8364;5<br>daily</p><TABLE><tr><td>a<td>b</TABLE>';

    expect(textOfHtml(html).trim().split(/\n+/)).toEqual([
      'Shop',
      'Fish & chips €5',
      'daily',
      'a',
      'b',
    ]);
  });

  it.each([
    ['a script with markup', 'a<script>if (1 < 2) document.write("<p>no</p>")</script>b'],
    ['a style', 'a<style>p > b { content: "no" }</style>b'],
    ['what needs no scripts', 'a<noscript><div>no</div></noscript>b'],
    ['a template in a template', 'a<template>no<template>no</template>no</template>b'],
    ['a picture with a title', 'a<svg><title>no</title><style>no</style><path d="M0"/></svg>b'],
    ['a picture that closes itself', 'a<svg viewBox="0 0 1 1" />b'],
    ['a comment', 'a<!-- <p>no --><!doctype html>b'],
  ])('hides %s', (_, html) => {
    expect(textOfHtml(html).trim()).toBe('ab');
  });

  it('shows the text that follows the block around an element without its end tag', () => {
    expect(textOfHtml('<div>a<object><p>no</p></div><p>b</p>').trim()).toBe('a\n\nb');
  });

  it('shows the text that precedes a tag that never ends', () => {
    expect(textOfHtml('a<b title="')).toBe('a');
  });
});
