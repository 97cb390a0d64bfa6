import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decrypt, type EncryptionContext, encrypt } from '#lib/platform/crypto/encryption.ts';
import { forgetSecrets } from '#lib/platform/secrets/secrets.ts';
import { depth } from '#tests/support/depth.ts';
import { firstDocument, hold, newKey, useFakeSecrets } from '#tests/support/fake-secrets.ts';

const context: EncryptionContext = ['ORG#1', 'ACCOUNT#1', 'accessToken'];
const plaintext = 'a token of some network';

useFakeSecrets();

describe('encrypt and decrypt', () => {
  it('round-trips any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 2_000 }), async (text) => {
        expect(await decrypt(await encrypt(text, context), context)).toBe(text);
      }),
      { numRuns: depth(10, 500) },
    );
  });

  it('decrypts only in the context of the encryption, over 10,000 pairs of contexts', async () => {
    const places = ['1', '2', '3', '4', '5'];
    const slots = places.flatMap((owner) =>
      places.flatMap((account) =>
        ['accessToken', 'refreshToken', 'secret', 'answer'].map(
          (field): EncryptionContext => [`ORG#${owner}`, `ACCOUNT#${account}`, field],
        ),
      ),
    );
    const sealed = await Promise.all(slots.map((slot) => encrypt(plaintext, slot)));
    let opened = 0;
    for (const [index, ciphertext] of sealed.entries()) {
      const outcomes = await Promise.allSettled(slots.map((slot) => decrypt(ciphertext, slot)));
      opened += outcomes.filter(({ status }) => status === 'fulfilled').length;
      expect(outcomes[index]?.status).toBe('fulfilled');
    }

    expect(slots).toHaveLength(100);
    expect(opened).toBe(100);
  });

  it('distinguishes contexts whose parts join to the same text', async () => {
    const sealed = await encrypt(plaintext, ['a', 'bc', 'd']);

    await expect(decrypt(sealed, ['ab', 'c', 'd'])).rejects.toThrow();
    await expect(decrypt(sealed, ['a', 'b', 'cd'])).rejects.toThrow();
  });

  it('rejects a ciphertext with any single bit flipped', async () => {
    const [form, id, body = ''] = (await encrypt(plaintext, context)).split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let position = 0; position < bytes.length; position += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[position] = (flipped[position] ?? 0) ^ (1 << bit);
        const forged = `${form}.${id}.${flipped.toString('base64url')}`;
        await expect(decrypt(forged, context)).rejects.toThrow();
      }
    }
  });

  it('rejects a ciphertext with any single character changed', async () => {
    const sealed = await encrypt(plaintext, context);
    for (let position = 0; position < sealed.length; position += 1) {
      const character = sealed[position] === 'A' ? 'B' : 'A';
      const forged = `${sealed.slice(0, position)}${character}${sealed.slice(position + 1)}`;
      await expect(decrypt(forged, context)).rejects.toThrow();
    }
  });

  it.each([
    '',
    '.',
    '..',
    'v1.first',
    'v1.first.',
    'v1..AAAA',
    'v2.first.AAAA',
    'v1.first.AAAA',
    'plain text',
  ])('rejects the malformed ciphertext "%s"', async (forged) => {
    await expect(decrypt(forged, context)).rejects.toThrow('Malformed ciphertext');
  });

  it('rejects a ciphertext truncated at any length', async () => {
    const sealed = await encrypt(plaintext, context);
    for (let length = 0; length < sealed.length; length += 1) {
      await expect(decrypt(sealed.slice(0, length), context)).rejects.toThrow();
    }
  });

  it('uses a unique nonce for each ciphertext', async () => {
    const count = depth(1_000, 1_000_000);
    const nonces = new Set<string>();
    for (let index = 0; index < count; index += 1) {
      const sealed = await encrypt('', context);
      nonces.add(
        Buffer.from(sealed.split('.')[2] ?? '', 'base64url')
          .subarray(0, 12)
          .toString('hex'),
      );
    }

    expect(nonces.size).toBe(count);
  });
});

describe('encryption key rotation', () => {
  const second = { id: 'second', key: newKey() };
  const rotated = {
    ...firstDocument,
    encryptionKeys: [second, ...firstDocument.encryptionKeys],
  };

  it('decrypts with both keys and encrypts with the new one', async () => {
    const old = await encrypt(plaintext, context);
    hold(rotated);
    forgetSecrets();
    const fresh = await encrypt(plaintext, context);

    expect(old).toMatch(/^v1\.first\./);
    expect(fresh).toMatch(/^v1\.second\./);
    expect(await decrypt(old, context)).toBe(plaintext);
    expect(await decrypt(fresh, context)).toBe(plaintext);
  });

  it('rejects a ciphertext whose key is missing or was replaced under the same id', async () => {
    const old = await encrypt(plaintext, context);
    hold({ ...firstDocument, encryptionKeys: [second] });
    forgetSecrets();
    await expect(decrypt(old, context)).rejects.toThrow('does not have');
    hold({ ...firstDocument, encryptionKeys: [{ id: 'first', key: newKey() }] });
    forgetSecrets();
    await expect(decrypt(old, context)).rejects.toThrow();
  });

  it('leaks neither the plaintext nor a key in an error', async () => {
    const sealed = await encrypt(plaintext, context);
    const failure: unknown = await decrypt(sealed, ['ORG#2', 'ACCOUNT#1', 'accessToken']).catch(
      (reason: unknown) => reason,
    );

    expect(String(failure)).not.toContain(plaintext);
    expect(String(failure)).not.toContain(firstDocument.encryptionKeys[0]?.key);
  });
});
