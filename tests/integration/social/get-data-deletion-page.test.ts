import { describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { getDataDeletionPage, receiveDataDeletion } from '#schemas/social-webhooks.ts';
import { call } from '#tests/support/api.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';
import { deliverSigned } from '#tests/support/signed-requests.ts';
import { drainWork } from '#tests/support/work.ts';

async function request(): Promise<string> {
  return (await deliverSigned(receiveDataDeletion, 'INSTAGRAM', 'a-person')).body.confirmation_code;
}

function show(code: string) {
  return call(getDataDeletionPage, { params: { code } });
}

const browser = await useBrowser();

describe('the page of a data deletion request', () => {
  it('shows only the code, the state and the dates', async () => {
    const code = await request();
    const before = await show(code);
    await drainWork('organization-removal');
    const { status, headers, body } = await show(code);

    expect(before.body).toContain('We are deleting your data');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('Your data has been deleted');
    expect(body).toContain(code);
    expect(body).not.toMatch(/a-person|<script/);
  });

  it('is kept for a year', async () => {
    const code = await request();
    setClock(() => Date.now() + 364 * dayMs);
    expect((await show(code)).status).toBe(200);
    setClock(() => Date.now() + 366 * dayMs);
    expect((await show(code)).status).toBe(404);
  });

  it.each(['unknown', '<script>alert(1)</script>', '0'.repeat(32)])(
    'is a 404 page for the code %s',
    async (code) => {
      const { status, headers, body } = await show(code);
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain('Unknown confirmation code');
      expect(body).not.toContain('<script');
    },
  );

  it('has no accessibility violations found by axe', async () => {
    const pages = [(await show(await request())).body, (await show('unknown')).body];
    const context = await browser.newContext({ bypassCSP: true });
    for (const html of pages) {
      const page = await context.newPage();
      await page.setContent(html);
      expect(await accessibilityProblems(page)).toEqual([]);
    }
  });
});
