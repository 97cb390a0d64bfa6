import { expect, it } from 'vitest';
import { getApp, getAppPage } from '#schemas/app.ts';
import { callForText } from './setup.ts';

it('getAppPage returns the same page for every address', async () => {
  const { text } = await callForText(getApp);

  for (const page of ['inbox', 'conversations/1', 'invitations/accept', '..%2f', '<script>']) {
    const answer = await callForText(getAppPage, { params: { page } });

    expect(answer).toMatchObject({ status: 200, text });
  }
});
