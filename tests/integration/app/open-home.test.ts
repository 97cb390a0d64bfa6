import { expect, it } from 'vitest';
import { openHome } from '#schemas/app.ts';
import { call } from '#tests/support/api.ts';

it('openHome redirects to the web app', async () => {
  const { status, headers } = await call(openHome);

  expect(status).toBe(302);
  expect(headers.location).toBe('/app');
});
