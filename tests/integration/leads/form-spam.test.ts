import { describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { real, spam, undetectable } from './form-spam-set.ts';
import { formSetup, sendForm } from './setup.ts';

const world = await formSetup();

async function newCode(): Promise<{ readonly id: string; readonly code: string }> {
  return world.newForm({ consentText: 'I agree.' });
}

/** Sends each entry. Returns the statuses and the number of recorded submissions. */
async function measure(values: readonly Readonly<Record<string, string>>[]) {
  const { id, code } = await newCode();
  const statuses: number[] = [];
  for (const one of values) {
    statuses.push((await sendForm(code, { email: freshEmail(), ...one })).status);
  }

  return { statuses, recorded: await world.submissionsOf(id) };
}

describe('the defenses against spam', () => {
  it('stop submissions from programs', async () => {
    const found: Record<string, string> = {};
    for (const [defense, values] of Object.entries(spam)) {
      const { statuses, recorded } = await measure(values);
      found[defense] = `${values.length - recorded} of ${values.length}`;
      const expected = defense === 'honeypot' ? 200 : 400;
      expect.soft(statuses, defense).toEqual(values.map(() => expected));
    }

    expect(found).toEqual({
      honeypot: '12 of 12',
      address: '7 of 7',
      injection: '6 of 6',
      length: '5 of 5',
      consent: '3 of 3',
      encoding: '3 of 3',
    });
  });

  it('accept 10 submissions of a burst for each network', async () => {
    const { id, code } = await newCode();
    delete process.env.FORM_LIMIT_PER_IP;
    setClock(() => Date.parse('2026-05-01T10:00:00Z'));
    const ip = '203.0.113.99';
    const statuses: number[] = [];
    for (let sent = 0; sent < 30; sent += 1) {
      const values = { email: freshEmail(), consent: 'on' };
      statuses.push((await sendForm(code, values, { ip })).status);
    }

    expect(statuses).toEqual([...Array(10).fill(200), ...Array(20).fill(429)]);
    expect(await world.submissionsOf(id)).toBe(10);
  });

  it('reject no messages from people', async () => {
    const { statuses, recorded } = await measure(real);

    expect(statuses).toEqual(real.map(() => 200));
    expect(`${recorded} of ${real.length}`).toBe('42 of 42');
  });

  it("cannot detect spam that looks like a person's message", async () => {
    const { recorded } = await measure(undetectable);

    expect(recorded).toBe(undetectable.length);
  });
});
