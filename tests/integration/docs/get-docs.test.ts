import { describe, expect, test } from 'vitest';
import { handler as getDocs } from '#functions/docs/get-docs.ts';
import { docsAssets } from '#schemas/docs.ts';
import { call, versionsIn } from './setup.ts';

const page = await call(getDocs);

describe('the documentation page', () => {
  test('loads nothing from other origins and allows no inline scripts or frames', () => {
    const policy = String(page.headers['content-security-policy']);

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(page.bytes.toString()).not.toMatch(/<script(?![^>]* src=)|https?:|\son\w+=/);
  });

  test('references existing files by version', () => {
    const versions = [...versionsIn(page.bytes).keys()];

    expect(versions.toSorted()).toEqual(
      ['favicon-32x32.png', 'start.js', 'swagger-ui-bundle.js', 'swagger-ui.css'].toSorted(),
    );
    expect(Object.keys(docsAssets)).toEqual(expect.arrayContaining(versions));
  });
});
