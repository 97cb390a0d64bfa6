import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';
import { config } from '#lib/platform/config.ts';
import { storageAddress } from './storage-address.ts';

type Presigned = {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  readonly validSeconds: number;
  readonly validFrom?: string;
  /** The signature covers them: a request with other values is rejected. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** The hash interface that the signer expects. */
class Sha256 {
  private readonly hash: Hash | Hmac;

  constructor(secret?: string | ArrayBufferView | ArrayBuffer) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(content: string | Uint8Array): void {
    this.hash.update(content);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    throw new Error('Not used');
  }
}

function bytesOf(secret: string | ArrayBufferView | ArrayBuffer): string | Uint8Array {
  if (typeof secret === 'string') {
    return secret;
  }

  return ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
}

const signer = /* @__PURE__ */ new SignatureV4({
  service: 's3',
  region: async () => config.region,
  credentials: /* @__PURE__ */ defaultProvider(),
  sha256: Sha256,
  uriEscapePath: false,
  applyChecksum: false,
});

/**
 * Returns a presigned URL. Signs without the S3 client, which would be a fifth of each bundle that
 * only creates links.
 */
export async function presignedUrl(presigned: Presigned): Promise<string> {
  const { method, key, validSeconds, validFrom, headers = {} } = presigned;
  const origin = storageAddress();
  const path = `${origin.pathname.replace(/\/$/, '')}/${key}`;
  const signed = await signer.presign(
    {
      method,
      protocol: origin.protocol,
      hostname: origin.hostname,
      path,
      query: {},
      headers: { ...headers, host: origin.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
    },
    {
      expiresIn: validSeconds,
      ...(validFrom === undefined ? {} : { signingDate: new Date(validFrom) }),
      signableHeaders: new Set(['host', ...Object.keys(headers)]),
      unhoistableHeaders: new Set(Object.keys(headers)),
    },
  );
  const query = Object.entries(signed.query ?? {}).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );

  return `${origin.origin}${path}?${query.join('&')}`;
}
