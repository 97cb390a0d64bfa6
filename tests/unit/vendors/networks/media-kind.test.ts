import { expect, test } from 'vitest';
import { mediaKindOf } from '#lib/vendors/networks/media-kind.ts';

test.each([
  ['https://cdn.example.com/a.mp4', 'video'],
  ['https://cdn.example.com/a.MOV?signature=x.jpg', 'video'],
  ['https://cdn.example.com/photos/a.b.jpeg#x', 'image'],
  ['https://cdn.example.com/a.webp', 'image'],
  ['https://cdn.example.com/a.pdf', undefined],
  ['https://cdn.example.com/mp4', undefined],
  ['https://cdn.example.com/', undefined],
  ['no url.mp4', undefined],
])('mediaKindOf(%s) returns %s', (url, kind) => {
  expect(mediaKindOf(url)).toBe(kind);
});
