import { describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { newId } from '#lib/platform/ids.ts';

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('newId', () => {
  it('returns a lowercase UUIDv7 that starts with the timestamp', () => {
    setClock(() => Date.parse('2030-01-01T00:00:00Z'));
    const id = newId();

    expect(id).toMatch(uuidV7);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(
      Date.parse('2030-01-01T00:00:00Z'),
    );
  });

  it('returns unique, increasing ids within one millisecond', () => {
    setClock(() => Date.parse('2031-01-01T00:00:00Z'));
    const ids = Array.from({ length: 20_000 }, newId);

    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('returns increasing ids when the clock is set back', () => {
    setClock(() => Date.parse('2032-01-01T00:00:01Z'));
    const earlier = newId();
    setClock(() => Date.parse('2032-01-01T00:00:00Z'));

    expect(newId() > earlier).toBe(true);
  });
});
