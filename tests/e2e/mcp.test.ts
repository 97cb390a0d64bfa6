import { expect, test } from 'vitest';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { signUpBody } from '#tests/support/accounts.ts';
import { connectTo } from '#tests/support/mcp.ts';
import { useStack } from '#tests/support/stack.ts';

test.each(['legacy', 'auto'] as const)(
  'a client of the official SDK lists and calls tools: %s',
  async (generation) => {
    const { api } = useStack();
    const { authToken } = await new SocialLeads({ baseUrl: api }).auth.signUp(signUpBody());
    const client = await connectTo(new URL('/mcp', api), { token: authToken, generation });

    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'list_pipelines', arguments: {} });

    expect(tools.map(({ name }) => name)).toContain('list_pipelines');
    expect(structuredContent).toMatchObject({ pipelines: [{ name: 'Sales Pipeline' }] });
    await client.close();
  },
);

test('POST is the only method that /mcp accepts, even before the token is checked', async () => {
  const { api } = useStack();
  const answers = await Promise.all(
    ['GET', 'DELETE'].map((method) => fetch(new URL('/mcp', api), { method })),
  );

  expect(answers.map(({ status }) => status)).toEqual([405, 405]);
});
