import { expect, it } from 'vitest';
import { createAgent, debugConversation, updateAgent } from '#schemas/ai.ts';
import { knowledgeSetup } from '#tests/integration/ai/setup.ts';
import { replySetup } from '#tests/integration/replies/setup.ts';
import { sandbox } from '#tests/support/mails.ts';

it('debugConversation shows the passages in the prompt, and whether people would take over', async () => {
  const world = await knowledgeSetup();
  const source = await world.add({ type: 'TEXT', text: 'We open at nine.' });
  const { id: agentId } = await replySetup(world.owner).agent({ knowledgeSourceIds: [source.id] });
  const debug = async (userMessage: string) => {
    const body = { agentId, userMessage, debugOptions: { includeProcessingSteps: true } };

    return (await world.ask(debugConversation, { body })).body.debugInfo;
  };
  await sandbox.giveAiAnswer({ contains: 'bicycles', covered: false });
  const [covered, uncovered] = [await debug('When do you open?'), await debug('Got bicycles?')];

  expect(covered).toMatchObject({
    response: 'We open at nine.',
    passages: [{ sourceId: source.id, sourceName: 'Hours', text: 'We open at nine.' }],
  });
  expect(uncovered.processingSteps).toContain(
    'The knowledge does not contain the answer: people take over',
  );
});

it("debugConversation returns the same 404 for an unknown source and another organization's source", async () => {
  const [world, other] = [await knowledgeSetup(), await knowledgeSetup()];
  const { source } = await other.create({ type: 'TEXT', text: 'a' });
  const replies = replySetup(world.owner);
  const { id: agentId, promptTemplateId } = await replies.agent();
  const ids = [source.id, '0192f0c9-5f6a-7b7c-8d8e-9f0a1b2c3d4e'];
  const answers = await Promise.all(
    ids.flatMap((id) => [
      world.ask(updateAgent, {
        params: { agent_id: agentId },
        body: { knowledgeSourceIds: [id] },
      }),
      world.ask(createAgent, {
        body: { name: id, promptTemplateId, channels: ['COMMENT'], knowledgeSourceIds: [id] },
      }),
    ]),
  );

  expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
    Array.from({ length: 4 }, () => [404, "Knowledge source not found or you don't have access"]),
  );
});
