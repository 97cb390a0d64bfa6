import { expect, test } from 'vitest';
import { canReply, type ReplyPermission } from '#lib/features/social/conversations/can-reply.ts';
import { type channels, platforms } from '#schemas/platforms.ts';

test('decides whether a reply is allowed, and until when', () => {
  const past = new Date(Date.now() - 1_000).toISOString();
  const coming = new Date(Date.now() + 60_000).toISOString();
  const ask = (
    changes: Partial<Parameters<typeof canReply>[0]>,
    by: 'BOT' | 'HUMAN' = 'BOT',
    isActive = true,
  ): ReplyPermission =>
    canReply(
      { platform: 'FACEBOOK', channel: 'DIRECT_MESSAGE', controller: 'BOT', ...changes },
      { isActive },
      by,
    );
  const refused = (reason: string) => ({ allowed: false, reason });

  expect(ask({ windowExpiresAt: coming })).toEqual({ allowed: true, until: coming });
  expect(ask({ platform: 'TWITTER' })).toEqual({ allowed: true, until: null });
  expect(ask({ windowExpiresAt: past })).toEqual(refused('WINDOW_CLOSED'));
  expect(ask({ windowExpiresAt: past }, 'HUMAN')).toEqual(refused('WINDOW_CLOSED'));
  expect(ask({ controller: 'HUMAN' })).toEqual(refused('HUMAN_TAKEOVER'));
  expect(ask({ controller: 'HUMAN' }, 'HUMAN').allowed).toBe(true);
  expect(ask({}, 'BOT', false)).toEqual(refused('ACCOUNT_INACTIVE'));
  const silent = platforms.filter((platform) => !ask({ platform }).allowed);
  expect(silent).toEqual(['LINKEDIN', 'YOUTUBE']);
  const answering = (channel: (typeof channels)[number]) =>
    platforms.filter((platform) => ask({ platform, channel }).allowed);
  expect(answering('COMMENT')).toEqual(platforms);
  expect(answering('POST')).toEqual(['FACEBOOK', 'TWITTER', 'LINKEDIN']);
});
