import { describe, expect, it } from 'vitest';
import * as ai from '#schemas/ai.ts';
import { agentSetup, hours } from './setup.ts';

const world = await agentSetup();

describe('an agent', () => {
  it('defaults to active, ten answers, no delay and no business hours', async () => {
    const { status, body } = await world.createAgent();

    expect(status).toBe(201);
    expect(body.aiAgent).toMatchObject({
      status: 'ACTIVE',
      autoResponse: true,
      responseDelay: 0,
      maxResponsesPerConversation: 10,
      businessHoursOnly: false,
      businessHours: null,
      variables: null,
    });
  });

  it('accepts a template of either kind and rejects unknown ones', async () => {
    const variant = await world.ask(ai.createInteractiveTemplate, {
      body: { name: 'Variant', templateContent: 'Hello' },
    });
    const byVariant = await world.createAgent({
      promptTemplateId: variant.body.interactiveTemplate.id,
    });
    const unknown = await world.createAgent({ promptTemplateId: crypto.randomUUID() });

    expect(byVariant.status).toBe(201);
    expect(unknown.status).toBe(404);
    expect(unknown.body.message).toBe("Prompt template not found or you don't have access");
  });

  it.each([
    [{ channels: [] }, 'channels must contain at least one valid channel type'],
    [{ channels: ['COMMENT', 'COMMENT'] }, 'channels must not contain duplicate channels'],
    [{ businessHoursOnly: true }, 'businessHours is required when businessHoursOnly is true'],
    [
      { businessHours: { ...hours, start: '24:00' } },
      'businessHours.start must be a time in HH:MM format',
    ],
    [
      { businessHours: { ...hours, timezone: 'Mars/Olympus' } },
      'businessHours.timezone must be an IANA time zone name',
    ],
  ])('rejects %j', async (body, says) => {
    const answer = await world.createAgent(body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([says]);
  });
});
