import { expect, test } from 'vitest';
import { openSignInLink, submitSignInLink } from '#schemas/operators.ts';
import { call } from '#tests/support/api.ts';
import { newLink, onboard } from './setup.ts';

test('openSignInLink shows a page whose button signs in, and does not use the link', async () => {
  const { params } = await onboard({ name: 'A <b>Company</b>' });
  const token = await newLink(params);
  const [first, second] = [
    await call(openSignInLink, { params: { token } }),
    await call(openSignInLink, { params: { token } }),
  ];

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.body).toContain('Sign in to A &lt;b&gt;Company&lt;/b&gt;');
  expect(first.body).toContain('<form method="post">');
  expect(first.headers['cache-control']).toContain('no-store');
  expect((await call(submitSignInLink, { params: { token } })).status).toBe(302);
  expect((await call(openSignInLink, { params: { token } })).status).toBe(404);
});

test('openSignInLink shows a 404 page for an unknown link', async () => {
  const answer = await call(openSignInLink, { params: { token: 'x' } });

  expect(answer.status).toBe(404);
  expect(answer.body).toContain('This link no longer works');
});
