import { expect, test } from 'vitest';
import { canReply, type ReplyPermission } from '#lib/features/conversations/outbound/can-reply.ts';
import { type channels, platforms } from '#schemas/platforms.ts';

test('canReply decides whether a reply is allowed, and until when', () => {
  const past = new Date(Date.now() - 1_000).toISOString();
  const coming = new Date(Date.now() + 60_000).toISOString();
  const ask = (
    changes: Partial<Parameters<typeof canReply>[0]>,
    by: 'BOT' | 'HUMAN' = 'BOT',
    account: Parameters<typeof canReply>[1] = { isActive: true, messaging: 'CONNECTED' },
  ): ReplyPermission =>
    canReply(
      { platform: 'FACEBOOK', channel: 'DIRECT_MESSAGE', controller: 'BOT', ...changes },
      account,
      by,
    );
  const refused = (reason: string) => ({ allowed: false, reason });

  expect(ask({ windowExpiresAt: coming })).toEqual({ allowed: true, until: coming });
  expect(ask({ platform: 'TWITTER' })).toEqual({ allowed: true, until: null });
  expect(ask({ windowExpiresAt: past })).toEqual(refused('WINDOW_CLOSED'));
  expect(ask({ windowExpiresAt: past }, 'HUMAN')).toEqual(refused('WINDOW_CLOSED'));
  expect(ask({ controller: 'HUMAN' })).toEqual(refused('HUMAN_TAKEOVER'));
  expect(ask({ controller: 'HUMAN' }, 'HUMAN').allowed).toBe(true);
  expect(ask({}, 'BOT', { isActive: false })).toEqual(refused('ACCOUNT_INACTIVE'));
  const tiktok = (account: Parameters<typeof canReply>[1]) =>
    ask({ platform: 'TIKTOK', channel: 'COMMENT' }, 'BOT', account);
  expect(tiktok({ isActive: true })).toEqual(refused('NOT_SUPPORTED'));
  expect(tiktok({ isActive: true, messaging: 'EXPIRED' })).toEqual(refused('ACCOUNT_INACTIVE'));
  expect(tiktok({ isActive: false, messaging: 'CONNECTED' }).allowed).toBe(true);
  const silent = platforms.filter((platform) => !ask({ platform }).allowed);
  expect(silent).toEqual(['LINKEDIN', 'YOUTUBE']);
  const answering = (channel: (typeof channels)[number]) =>
    platforms.filter((platform) => ask({ platform, channel }).allowed);
  expect(answering('COMMENT')).toEqual(platforms);
  expect(answering('POST')).toEqual(['FACEBOOK', 'TWITTER', 'LINKEDIN']);
});
