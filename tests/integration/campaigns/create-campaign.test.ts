import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as campaigns from '#schemas/campaigns.ts';
import { channels } from '#schemas/platforms.ts';
import { newMember } from '#tests/support/accounts.ts';
import { campaignSetup, keyword, newWord, unknownId } from './setup.ts';

const world = await campaignSetup();

describe('a campaign', () => {
  it('fits into DynamoDB at its maximum size, even with its stored response', async () => {
    // In JSON, each of these characters needs six.
    const controls = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`v${index + 10}`, '\u0001'.repeat(150)]),
    );
    const valuesOf = (characters: number) => {
      const rest = characters - JSON.stringify({ ...controls, x: '', y: '' }).length;

      return { ...controls, x: '値'.repeat(1_000), y: '値'.repeat(rest - 1_000) };
    };
    const body = (characters: number) => ({
      ...world.office.parts,
      agentConfigs: channels.map((channel) => ({
        channel,
        promptTemplateId: world.templateId,
        variables: valuesOf(characters),
      })),
    });
    const send = (characters: number) =>
      world.office.ask(campaigns.createCampaign, {
        body: body(characters),
        headers: { 'idempotency-key': randomUUID() },
      });

    const [fits, exceeds] = [await send(20_000), await send(20_001)];

    expect(fits.status).toBe(201);
    expect(fits.body.campaign.agentConfigs[2].variables).toEqual(valuesOf(20_000));
    expect(exceeds.status).toBe(400);
    expect(exceeds.body.message).toEqual(
      [0, 1, 2].map(
        (index) => `agentConfigs.${index}.variables must not exceed 20,000 characters as JSON`,
      ),
    );
  });

  it('is active immediately, with an agent that answers without delay', async () => {
    const word = newWord();
    const { status, body } = await world.office.create({
      description: 'Ten percent off',
      keywords: [keyword(` ${word} `, { priority: 2 })],
      agentConfigs: [{ channel: 'COMMENT', promptTemplateId: world.templateId }],
      utmCampaign: 'spring',
    });

    expect(status).toBe(201);
    expect(body.campaign).toMatchObject({
      ...world.office.parts,
      description: 'Ten percent off',
      status: 'ACTIVE',
      keywords: [{ keyword: word, matchType: 'CONTAINS', priority: 2 }],
      agentConfigs: [
        {
          channel: 'COMMENT',
          promptTemplateId: world.templateId,
          autoResponse: true,
          responseDelay: 0,
          variables: null,
          privateReply: null,
          followUp: null,
        },
      ],
      utmCampaign: 'spring',
      webhookUrl: null,
      webhookSecret: null,
    });
    expect((await world.office.newCampaign({ status: 'DRAFT' })).status).toBe('DRAFT');
  });

  it.each([
    [{ pipelineId: unknownId }, 404, "Pipeline not found or you don't have access"],
    [{ socialAccountIds: [unknownId] }, 404, "Social account not found or you don't have access"],
    [
      { agentConfigs: [{ channel: 'COMMENT', promptTemplateId: unknownId }] },
      404,
      "Prompt template not found or you don't have access",
    ],
    [{ postIds: [unknownId] }, 404, "Content post not found or you don't have access"],
    [
      { platform: 'MYSPACE' },
      400,
      [
        'platform must be one of the following values: FACEBOOK, INSTAGRAM, TIKTOK, TWITTER, LINKEDIN, YOUTUBE',
      ],
    ],
    [
      { keywords: [keyword('Straße'), keyword('other'), keyword(' STRASSE ')] },
      400,
      ['keywords.2.keyword must not have the same text as keywords.0.keyword'],
    ],
    [{ keywords: [keyword('\u{FE0F}')] }, 400, ['keywords.0.keyword should not be empty']],
    [
      {
        agentConfigs: [
          { channel: 'COMMENT', promptTemplateId: unknownId },
          { channel: 'COMMENT', promptTemplateId: unknownId },
        ],
      },
      400,
      ['agentConfigs must not contain duplicate channels'],
    ],
    [{ webhookUrl: 'https://10.0.0.1/' }, 400, ['webhookUrl must point to a public address']],
    [{ name: 'x' }, 400, ['name must be at least 2 characters']],
  ])('rejects %j', async (body, status, message) => {
    const answer = await world.office.create(body);

    expect(answer.status).toBe(status);
    expect(answer.body.message).toEqual(message);
  });

  it('stores the fixed private answer to a comment', async () => {
    const buttons = [
      { label: ' See the prices ', url: ' https://example.com/prices?a=1 ' },
      { label: 'Ask', reply: 'Which engine is the cheapest?' },
    ];
    const { body } = await world.office.create({
      agentConfigs: [
        {
          channel: 'COMMENT',
          promptTemplateId: world.templateId,
          privateReply: { text: 'Here are our prices', buttons },
        },
      ],
    });

    expect(body.campaign.agentConfigs[0].privateReply).toEqual({
      text: 'Here are our prices',
      buttons: [
        { label: 'See the prices', url: 'https://example.com/prices?a=1', reply: null },
        { label: 'Ask', url: null, reply: 'Which engine is the cheapest?' },
      ],
    });
  });

  it('stores the follow-up of an agent', async () => {
    const followUp = { afterMinutes: 1_380, text: 'Any questions?', unless: 'CLICKED' };
    const config = { channel: 'DIRECT_MESSAGE', promptTemplateId: world.templateId, followUp };

    const { body } = await world.office.create({ agentConfigs: [config] });

    expect(body.campaign.agentConfigs[0].followUp).toEqual(followUp);
  });

  it.each([
    ['COMMENT', { afterMinutes: 0 }, '.afterMinutes must not be less than 1'],
    ['COMMENT', { afterMinutes: 1_381 }, '.afterMinutes must not be greater than 1380'],
    [
      'COMMENT',
      { unless: 'SEEN' },
      '.unless must be one of the following values: CLICKED, REPLIED',
    ],
    ['COMMENT', { text: ' ' }, '.text should not be empty'],
    ['POST', {}, ' is only possible for the channels COMMENT and DIRECT_MESSAGE'],
  ])('rejects the follow-up on %s with %j', async (channel, part, problem) => {
    const followUp = { afterMinutes: 60, text: 'Any questions?', unless: 'REPLIED', ...part };
    const config = { channel, promptTemplateId: world.templateId, followUp };

    const answer = await world.office.create({ agentConfigs: [config] });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([`agentConfigs.0.followUp${problem}`]);
  });

  const ok = { label: 'See', url: 'https://example.com' };

  it.each([
    [{ buttons: [ok, { label: 'See' }] }, 'buttons.1 must have exactly one of url and reply'],
    [{ buttons: [{ ...ok, reply: 'Hello' }] }, 'buttons.0 must have exactly one of url and reply'],
    [
      { buttons: [{ label: 'See', url: 'https://a:b@example.com' }] },
      'buttons.0.url must be an http or https URL without credentials',
    ],
    [
      { buttons: [ok, ok, { label: 'x'.repeat(21), reply: 'Hello' }] },
      'buttons.2.label must be shorter than or equal to 20 characters',
    ],
    [
      { buttons: [{ label: 'See', reply: 'x'.repeat(1_001) }] },
      'buttons.0.reply must be shorter than or equal to 1000 characters',
    ],
    [{ buttons: [ok, ok, ok, ok] }, 'buttons must contain no more than 3 elements'],
    [{ text: ' ' }, 'text should not be empty'],
    [{ text: 'x'.repeat(641) }, 'text must be shorter than or equal to 640 characters'],
  ])('rejects the private answer %j', async (part, problem) => {
    const privateReply = { text: 'Here are our prices', ...part };
    const config = { promptTemplateId: world.templateId, channel: 'COMMENT', privateReply };
    const answer = await world.office.create({ agentConfigs: [config] });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([`agentConfigs.0.privateReply.${problem}`]);
  });

  it('rejects a private answer to anything but comments', async () => {
    const { templateId: promptTemplateId } = world;
    const privateReply = { text: 'Here are our prices' };
    const agentConfigs = [{ channel: 'DIRECT_MESSAGE', promptTemplateId, privateReply }];
    const answer = await world.office.create({ agentConfigs });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'agentConfigs.0.privateReply is only possible for the channel COMMENT',
    ]);
  });

  it('returns 403 if a member sets a webhook', async () => {
    const { token } = await newMember(world.office.owner, 'MEMBER');
    const body = { ...world.office.parts, webhookUrl: 'https://example.com/hook' };
    const answer = await world.office.ask(campaigns.createCampaign, { body, token });

    expect(answer.status).toBe(403);
    const plain = await world.office.ask(campaigns.createCampaign, {
      body: world.office.parts,
      token,
    });
    expect(plain.status).toBe(201);
  });
});
