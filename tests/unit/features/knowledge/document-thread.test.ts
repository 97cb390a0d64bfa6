import { afterEach, describe, expect, it, vi } from 'vitest';
import { passagesOfDocument } from '#lib/features/knowledge/reading/document-thread.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { compressedPdf, pdf } from '#tests/support/pdf-files.ts';

const tooMuch = 'The document takes too long or too much memory to read';
const type = 'application/pdf';

afterEach(() => {
  vi.useRealTimers();
});

describe('passagesOfDocument', () => {
  it('reads a document', async () => {
    expect(await passagesOfDocument({ bytes: pdf('We open at nine.'), type })).toEqual([
      'We open at nine.',
    ]);
    expect(
      await passagesOfDocument({
        bytes: Buffer.from('<p>We open at nine.'),
        type: 'text/html',
        charset: undefined,
      }),
    ).toEqual(['We open at nine.']);
  });

  it('rejects a small PDF that expands to 300 MB of spaces', async () => {
    const bytes = compressedPdf(Buffer.alloc(300_000_000, ' '));

    await expect(passagesOfDocument({ bytes, type })).rejects.toThrow(tooMuch);
  });

  it('stops reading a PDF after 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const bytes = compressedPdf(Buffer.alloc(40_000_000, 'q '));
    const reading = passagesOfDocument({ bytes, type });
    vi.advanceTimersByTime(30 * secondMs);

    await expect(reading).rejects.toThrow(tooMuch);
  });
});
