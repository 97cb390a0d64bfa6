import { describe, expect, it } from 'vitest';
import { getConnectedPage } from '#schemas/social-oauth.ts';
import { call } from '#tests/support/api.ts';

describe('the page at the end of an authorization', () => {
  it('says that the window can be closed', async () => {
    const { status, body, headers } = await call(getConnectedPage, { query: { session: 'x' } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('You can close this window');
  });

  it('explains what to do if the state was not valid, and repeats no input', async () => {
    const query = { error: '<script>alert(1)</script>' };
    const { body } = await call(getConnectedPage, { query });
    expect(body).toContain('<h1 dir="auto">Start again</h1>');
    expect(body).not.toContain('<script');
  });
});
