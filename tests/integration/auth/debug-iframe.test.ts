import { describe, expect, it } from 'vitest';
import { debugIframe } from '#schemas/auth.ts';
import { call } from '#tests/support/api.ts';

describe('debugging an iframe', () => {
  it("reports the request's headers and the cookie attributes", async () => {
    const headers = {
      referer: 'https://app.example.com/page',
      origin: 'https://app.example.com',
      'sec-fetch-dest': 'iframe',
    };
    const { body } = await call(debugIframe, { headers });

    expect(body).toEqual({
      isIframe: true,
      requestInfo: {
        referer: 'https://app.example.com/page',
        userAgent: 'vitest',
        origin: 'https://app.example.com',
        frameContext: 'iframe',
        host: 'api.example.com',
        allHeaders: ['host', 'origin', 'referer', 'sec-fetch-dest', 'user-agent'],
      },
      cookieConfig: {
        httpOnly: true,
        secure: true,
        sameSite: 'none',
        domain: null,
        path: '/',
        maxAge: 604_800_000,
      },
      recommendations: expect.arrayContaining([expect.any(String)]),
      timestamp: expect.stringMatching(/Z$/),
      environment: 'test',
    });
  });

  it('returns null for missing request details', async () => {
    const { body } = await call(debugIframe, { headers: { 'sec-fetch-dest': 'document' } });

    expect(body).toMatchObject({
      isIframe: false,
      requestInfo: { referer: null, origin: null, frameContext: null },
    });
  });

  it('never reveals values of headers or cookies', async () => {
    const planted = 'pl4nted-s3cret';
    const { body } = await call(debugIframe, {
      headers: { authorization: `Bearer ${planted}`, 'x-api-key': planted },
      cookies: [`__Host-auth_token=${planted}`],
    });

    expect(body.requestInfo.allHeaders).toEqual(
      expect.arrayContaining(['authorization', 'x-api-key']),
    );
    expect(JSON.stringify(body)).not.toContain(planted);
  });
});
