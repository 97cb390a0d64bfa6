import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { getFreshSecrets, getSecrets } from '#lib/platform/secrets/secrets.ts';

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The item and field that a ciphertext belongs to, authenticated as associated data. Decryption
 * fails in any other context.
 */
export type EncryptionContext = readonly [pk: string, sk: string, field: string];

/**
 * Returns the context of an item's field. `key` must be the key that the item was read with, never
 * an attribute, because attributes could be copied along with the item.
 */
export function contextOf({ pk, sk }: Key, field: string): EncryptionContext {
  return [pk, sk, field];
}

function associatedData(keyId: string, context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, ...context]));
}

/**
 * Encrypts with AES-256-GCM, the newest data key and a random 96-bit nonce.
 *
 * @returns `v1.<key id>.<base64url of nonce, ciphertext and tag>`
 */
export async function encrypt(plaintext: string, context: EncryptionContext): Promise<string> {
  const { encryptionKeys } = await getSecrets();
  const [current] = encryptionKeys;
  if (!current) {
    throw new Error('The secret has no encryption key');
  }
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
  cipher.setAAD(associatedData(current.id, context));
  const sealed = Buffer.concat([
    nonce,
    cipher.update(plaintext, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);

  return `${version}.${current.id}.${sealed.toString('base64url')}`;
}

/** Decrypts a ciphertext of {@link encrypt}. Throws if the key, the context or any bit differs. */
export async function decrypt(ciphertext: string, context: EncryptionContext): Promise<string> {
  const [form, keyId, body, ...rest] = ciphertext.split('.');
  if (form !== version || !keyId || !body || rest.length > 0) {
    throw new Error('Malformed ciphertext');
  }
  const key = await findKey(keyId);
  const sealed = Buffer.from(body, 'base64url');
  if (sealed.length < nonceBytes + tagBytes || sealed.toString('base64url') !== body) {
    throw new Error('Malformed ciphertext');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(associatedData(keyId, context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));

  return Buffer.concat([
    decipher.update(sealed.subarray(nonceBytes, -tagBytes)),
    decipher.final(),
  ]).toString('utf8');
}

export async function isUnderNewestKey(ciphertext: string): Promise<boolean> {
  const { encryptionKeys } = await getSecrets();

  return ciphertext.split('.')[1] === encryptionKeys[0]?.id;
}

async function findKey(keyId: string): Promise<Buffer> {
  const known = (await getSecrets()).encryptionKeys.find((key) => key.id === keyId);
  const found = known ?? (await getFreshSecrets()).encryptionKeys.find((key) => key.id === keyId);
  if (!found) {
    throw new Error('The ciphertext names a key that the secret does not have');
  }

  return found.key;
}
