import { expect, test } from 'vitest';
import { handler as getDocs } from '#functions/docs/get-docs.ts';
import { handler as getDocsAsset } from '#functions/docs/get-docs-asset.ts';
import { handler as getLlmsTxt } from '#functions/docs/get-llms-txt.ts';
import { handler as getOpenapi } from '#functions/docs/get-openapi.ts';
import { areas } from '#schemas/contract.ts';
import { call } from './setup.ts';

test('getLlmsTxt introduces the service and its resources, with links that work', async () => {
  const { statusCode, headers, bytes } = await call(getLlmsTxt);
  const text = bytes.toString();
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = '']) => link);
  const guides = links.filter((link) => link.startsWith('/docs/'));
  const answers = await Promise.all([
    call(getOpenapi),
    call(getDocs),
    ...guides.map((link) => call(getDocsAsset, { asset: link.slice('/docs/'.length) })),
  ]);

  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Social Leads\n\n> .+/);
  for (const area of areas) {
    expect(text).toContain(`- \`${area}\`: `);
  }
  expect(links.slice(0, 2)).toEqual(['/openapi.json', '/docs']);
  expect(guides.length).toBeGreaterThan(5);
  expect(answers.map((answer) => answer.statusCode)).toEqual(links.map(() => 200));
  expect(answers.at(-1)?.headers['content-type']).toBe('text/markdown; charset=utf-8');
});
