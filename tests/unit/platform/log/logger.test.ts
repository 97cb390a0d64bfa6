import { describe, expect, it } from 'vitest';
import { describeFailure } from '#lib/platform/log/logger.ts';

describe('error logging', () => {
  it('redacts e-mail addresses anywhere in a vendor error', () => {
    const cause = new Error('No such customer <ada.lovelace+1@mail.example.com>, "b@example.com"');
    const failure = new Error(
      'Email address is not verified. The following identities failed the check: ada@example.com',
      { cause },
    );
    const told = describeFailure(failure);

    expect(JSON.stringify(told)).not.toMatch(/example\.com|ada|lovelace/);
    expect(told).toMatchObject({
      message:
        'Email address is not verified. The following identities failed the check: [address]',
      cause: { message: 'No such customer <[address]>, "[address]"' },
    });
    expect(describeFailure('of b@example.com')).toEqual({
      name: 'NonError',
      message: 'of [address]',
    });
  });

  it('keeps file paths in stack traces', () => {
    const failure = new Error('It does not work');
    failure.stack = 'Error\n    at send (/var/task/node_modules/@smithy/core/index.js:1:2)';

    expect(describeFailure(failure).stack).toBe(failure.stack);
  });
});
