import { afterEach, describe, expect, it } from 'vitest';
import { getApp } from '#schemas/app.ts';
import { type CallInput, call } from '#tests/support/api.ts';
import { callForText } from './setup.ts';

afterEach(() => {
  delete process.env.EMBED_ORIGINS;
  delete process.env.STRIPE_PUBLISHABLE_KEY;
});

async function get(options: CallInput = {}) {
  const { status, headers, text } = await callForText(getApp, options);
  const [, settings = ''] = /<meta name="settings" content="([^"]*)">/.exec(text) ?? [];

  return {
    status,
    headers,
    text,
    policy: String(headers['content-security-policy']),
    settings: JSON.parse(settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&')),
  };
}

describe('getApp', () => {
  it('allows only this origin, the storage and the WebSocket API in its policy', async () => {
    const { policy, text } = await get();
    const named = policy.match(/\w+:\/\/[^\s;]+/g);

    expect(new Set(named)).toEqual(
      new Set([
        new URL(String(process.env.S3_ENDPOINT)).origin,
        new URL(String(process.env.WEBSOCKET_URL)).origin,
      ]),
    );
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style=/);
  });

  it('may be embedded only by the configured origins', async () => {
    process.env.EMBED_ORIGINS = 'https://one.example, https://two.example';

    expect((await get()).policy).toMatch(
      /frame-ancestors https:\/\/one\.example https:\/\/two\.example$/,
    );
  });

  it('allows Stripe only with a publishable key', async () => {
    process.env.STRIPE_PUBLISHABLE_KEY = 'pk_test_1';
    const { policy, settings } = await get();

    expect(policy).toContain("script-src 'self' https://js.stripe.com;");
    expect(policy).toContain('frame-src https://js.stripe.com https://hooks.stripe.com;');
    expect(settings).toMatchObject({ stripePublishableKey: 'pk_test_1' });
  });

  it('contains whether the browser has a session, and is cached only for the same state', async () => {
    const without = await get();
    const etag = String(without.headers.etag);
    const withCookie = await get({
      cookies: ['__Host-auth_token=x'],
      headers: { 'if-none-match': etag },
    });

    expect(without.settings.hasSession).toBe(false);
    expect(withCookie).toMatchObject({ status: 200, settings: { hasSession: true } });
    expect(without.headers['cache-control']).toBe('private, no-cache');
    expect((await call(getApp, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});
