import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { sandbox } from '#tests/support/mails.ts';
import { templateTestSetup, testMessage } from '../ai/setup.ts';

const world = await templateTestSetup();

describe('debugging an agent', () => {
  it('returns the requested options, and null for the others', async () => {
    const agentId = await world.newAgentId({ variables: { discount: '10 %' } });
    const history = [{ role: 'user', content: 'Hello' }];
    const plain = await world.ask(ai.debugConversation, {
      body: { agentId, userMessage: testMessage },
    });
    const full = await world.ask(ai.debugConversation, {
      body: {
        agentId,
        userMessage: testMessage,
        conversationHistory: history,
        debugOptions: {
          includePrompt: true,
          includeVariables: true,
          includeProcessingSteps: true,
          includePerformance: true,
        },
      },
    });

    expect(plain.body.debugInfo).toMatchObject({
      conversationHistory: [],
      processedPrompt: null,
      variables: null,
      processingSteps: null,
      performance: null,
    });
    expect(full.body.debugInfo).toMatchObject({
      conversationHistory: history,
      variables: { discount: '10 %', tone: 'friendly' },
      performance: { totalTime: expect.any(Number), aiGenerationTime: expect.any(Number) },
    });
    expect(full.body.debugInfo.variables.companyName).not.toBe('');
    expect(full.body.debugInfo.processedPrompt).toContain('Be friendly to the customer: 10 % off.');
    expect(full.body.debugInfo.processingSteps).toContain('1 earlier messages added');
  });

  it('reports the variables without values', async () => {
    const { body } = await world.ask(ai.debugConversation, {
      body: {
        agentId: await world.newAgentId(),
        userMessage: testMessage,
        debugOptions: { includeProcessingSteps: true },
      },
    });

    expect(body.debugInfo.processingSteps).toContain(
      'Variable "discount" has no value and became empty',
    );
  });

  it('hands the conversation over to people when the AI response cannot be parsed', async () => {
    const agentId = await world.newAgentId();
    const content = 'Sure! Here is the answer';
    await sandbox.addFault({
      service: 'openai',
      mode: 'error',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'x', choices: [{ message: { content } }] }),
      times: 1,
    });
    const { body } = await world.ask(ai.debugConversation, {
      body: {
        agentId,
        userMessage: testMessage,
        debugOptions: { includeProcessingSteps: true },
      },
    });

    expect(body.debugInfo.response).toBe('');
    expect(body.debugInfo.processingSteps).toContain('The agent hands over to a person');
  });
});
