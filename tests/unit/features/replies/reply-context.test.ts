import { describe, expect, test } from 'vitest';
import type { Agent } from '#lib/features/ai/agent.ts';
import type { Campaign } from '#lib/features/campaigns/campaign.ts';
import {
  isWithinHours,
  responderOfCampaign,
  responderWithoutCampaign,
  stopReasonOf,
} from '#lib/features/replies/reply-context.ts';

function agent(overrides: Partial<Agent>): Agent {
  return {
    id: 'agent-1',
    organizationId: 'organization',
    name: 'Agent',
    promptTemplateId: 'template',
    templateKind: 'TEMPLATE',
    channels: ['COMMENT'],
    autoResponse: true,
    responseDelay: 7,
    maxResponsesPerConversation: 3,
    businessHoursOnly: false,
    status: 'ACTIVE',
    version: 1,
    createdAt: '',
    updatedAt: '',
    ...overrides,
  };
}

const campaign = {
  id: 'campaign',
  status: 'ACTIVE',
  agentConfigs: [
    {
      id: 'config',
      channel: 'COMMENT',
      promptTemplateId: 'template',
      templateKind: 'TEMPLATE',
      autoResponse: true,
      responseDelay: 2,
      createdAt: '',
    },
  ],
} as const satisfies Partial<Campaign>;

describe('responderOfCampaign', () => {
  test('returns undefined when the campaign has no agent for the channel', () => {
    expect(responderOfCampaign(campaign, 'POST', [agent({ channels: ['POST'] })])).toBeUndefined();
  });

  test('applies the limits of the agent with the same template and channel', () => {
    const hours = { start: '09:00', end: '17:00', timezone: 'UTC' };
    const governing = agent({ businessHoursOnly: true, businessHours: hours });

    expect(responderOfCampaign(campaign, 'COMMENT', [governing])).toMatchObject({
      agentId: 'agent-1',
      maxResponses: 3,
      hours,
      delaySeconds: 2,
    });
  });

  test('defaults to ten replies and no business hours when no agent matches', () => {
    const others = [agent({ channels: ['POST'] }), agent({ promptTemplateId: 'other' })];
    const responder = responderOfCampaign(campaign, 'COMMENT', others);

    expect(responder).toMatchObject({ maxResponses: 10, isActive: true });
    expect(responder).not.toHaveProperty('hours');
  });

  test('prefers the active agent when several match', () => {
    const agents = [agent({ status: 'PAUSED' }), agent({ id: 'agent-2' })];

    expect(responderOfCampaign(campaign, 'COMMENT', agents)?.agentId).toBe('agent-2');
  });
});

describe('responderWithoutCampaign', () => {
  test('picks an agent whose template no active campaign uses on the channel', () => {
    const [used, free] = [agent({}), agent({ id: 'agent-2', promptTemplateId: 'other' })];

    expect(responderWithoutCampaign(campaign.agentConfigs, 'COMMENT', [used, free])?.agentId).toBe(
      'agent-2',
    );
    expect(responderWithoutCampaign([], 'COMMENT', [used, free])?.agentId).toBe('agent-1');
    expect(responderWithoutCampaign(campaign.agentConfigs, 'COMMENT', [used])).toBeUndefined();
  });

  test('accepts an agent whose template a campaign uses on another channel', () => {
    const elsewhere = agent({ channels: ['POST'] });

    expect(responderWithoutCampaign(campaign.agentConfigs, 'POST', [elsewhere])?.agentId).toBe(
      'agent-1',
    );
  });
});

describe('stopReasonOf', () => {
  test('returns the first of several reasons in a fixed order', () => {
    const conversation = {
      platform: 'LINKEDIN',
      channel: 'DIRECT_MESSAGE',
      controller: 'HUMAN',
      responseCount: 10,
    } as never;
    const account = { isActive: false } as never;
    const now = new Date();
    const hours = {
      start: new Date(now.getTime() + 3_600_000).toISOString().slice(11, 16),
      end: new Date(now.getTime() + 7_200_000).toISOString().slice(11, 16),
      timezone: 'UTC',
    };
    const worst = {
      template: { id: 'template', kind: 'TEMPLATE' },
      autoResponse: false,
      isActive: false,
      delaySeconds: 0,
      maxResponses: 10,
      hours,
      variables: {},
    } as const;
    const context = {
      conversation,
      account,
      isPaused: true,
      isSuspended: false,
      creditsAvailable: 0,
      isRateLimited: true,
      isOptedOut: false,
      hasRoom: true,
    };
    const { hours: _, ...always } = worst;
    const byBot = {
      ...context,
      conversation: { ...(conversation as object), controller: 'BOT' } as never,
    };
    const open = {
      ...byBot,
      conversation: {
        platform: 'FACEBOOK',
        channel: 'COMMENT',
        controller: 'BOT',
        responseCount: 0,
      } as never,
      account: { isActive: true } as never,
    };
    const willing = { ...always, autoResponse: true, isActive: true };

    expect([
      stopReasonOf(worst, { ...context, isOptedOut: true }),
      stopReasonOf(willing, { ...open, isSuspended: true }),
      stopReasonOf(worst, context),
      stopReasonOf({ ...worst, autoResponse: true }, context),
      stopReasonOf({ ...worst, autoResponse: true, isActive: true }, context),
      stopReasonOf({ ...worst, autoResponse: true, isActive: true }, byBot),
      stopReasonOf(willing, byBot),
      stopReasonOf({ ...willing, maxResponses: 11 }, byBot),
      stopReasonOf(willing, open),
      stopReasonOf(willing, { ...open, isPaused: false }),
      stopReasonOf(willing, { ...open, isPaused: false, creditsAvailable: 1 }),
      stopReasonOf(willing, {
        ...open,
        isPaused: false,
        creditsAvailable: 1,
        isRateLimited: false,
      }),
    ]).toEqual([
      'OPTED_OUT',
      'AGENT_INACTIVE',
      'AUTO_RESPONSE_OFF',
      'AGENT_INACTIVE',
      'HUMAN_TAKEOVER',
      'OUTSIDE_BUSINESS_HOURS',
      'MAX_RESPONSES',
      'NOT_SUPPORTED',
      'SUBSCRIPTION_PAUSED',
      'NO_CREDITS',
      'RATE_LIMITED',
      undefined,
    ]);
  });
});

function within(hours: string, at: string, timezone = 'UTC'): boolean {
  const [start = '', end = ''] = hours.split('-');

  return isWithinHours({ start, end, timezone }, Date.parse(at));
}

describe('isWithinHours', () => {
  test.each([
    ['09:00-17:00', '2026-01-15T09:00:00Z', true],
    ['09:00-17:00', '2026-01-15T16:59:59Z', true],
    ['09:00-17:00', '2026-01-15T17:00:00Z', false],
    ['09:00-17:00', '2026-01-15T08:59:59Z', false],
    ['22:00-06:00', '2026-01-15T23:30:00Z', true],
    ['22:00-06:00', '2026-01-15T00:00:00Z', true],
    ['22:00-06:00', '2026-01-15T05:59:59Z', true],
    ['22:00-06:00', '2026-01-15T06:00:00Z', false],
    ['22:00-06:00', '2026-01-15T12:00:00Z', false],
    ['09:00-09:00', '2026-01-15T03:00:00Z', true],
  ])('returns, for hours %s at %s, %s', (hours, at, expected) => {
    expect(within(hours, at)).toBe(expected);
  });

  test.each([
    // London switches to summer time on March 29, 2026 at 01:00 UTC, and back on October 25.
    ['the day before summer time', '2026-03-28T08:30:00Z', false],
    ['the first day of summer time', '2026-03-29T08:30:00Z', true],
    ['the last day of summer time', '2026-10-24T08:30:00Z', true],
    ['the day after summer time', '2026-10-25T08:30:00Z', false],
  ])('uses local time in the configured time zone: %s', (_, at, expected) => {
    expect(within('09:00-17:00', at, 'Europe/London')).toBe(expected);
  });

  test('handles overnight hours on the night the clocks are set back', () => {
    const inNewYork = (at: string) => within('22:00-02:00', at, 'America/New_York');

    expect(inNewYork('2026-11-01T05:30:00Z')).toBe(true);
    expect(inNewYork('2026-11-01T06:30:00Z')).toBe(true);
    expect(inNewYork('2026-11-01T07:30:00Z')).toBe(false);
  });
});
