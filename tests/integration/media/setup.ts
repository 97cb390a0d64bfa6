import { expect } from 'vitest';
import { completeMediaUpload, createMediaUpload, getMedia } from '#schemas/media.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { askAs } from '#tests/support/api.ts';
import { storedKeysOf } from '#tests/support/stored-files.ts';
import { drainWork } from '#tests/support/work.ts';

export type MediaSetup = Awaited<ReturnType<typeof mediaSetup>>;

type Named = { readonly fileName?: string; readonly contentType?: string };

/** Creates an organization, unless one is given, and calls operations of its media library. */
export async function mediaSetup(existing?: Account) {
  const owner = existing ?? (await newAccount());
  const ask = askAs(owner);
  const { organizationId } = owner;

  async function start(bytes: number, named: Named = {}) {
    const body = { fileName: 'engine.jpg', contentType: 'image/jpeg', bytes, ...named };
    const answer = await ask(createMediaUpload, { body });
    expect(answer.status).toBe(201);

    return answer.body;
  }

  /** Uploads and completes a file, and returns the media file before it is processed. */
  async function complete(content: Buffer, named: Named = {}) {
    const { media, upload } = await start(content.length, named);
    await send(upload, content);
    const answer = await ask(completeMediaUpload, { params: { media_id: media.id }, body: {} });
    expect(answer.status).toBe(200);

    return answer.body.media;
  }

  async function find(id: string) {
    return (await ask(getMedia, { params: { media_id: id } })).body.media;
  }

  /** Uploads, completes and processes a file. */
  async function add(content: Buffer, named: Named = {}) {
    const { id } = await complete(content, named);
    await drainWork('media-processing');

    return find(id);
  }

  /** Returns the keys of all stored files of the organization. */
  const storedKeys = () => storedKeysOf(organizationId, ['uploads', 'media']);

  return { owner, organizationId, ask, start, complete, find, add, storedKeys };
}

type Upload = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Sends the bytes with the request from the service. */
export async function send(
  { method, url, headers: { 'content-length': _, ...headers } }: Upload,
  content: Buffer,
): Promise<void> {
  const answer = await fetch(url, { method, headers, body: new Uint8Array(content) });
  expect(answer.status).toBe(200);
}

export async function download(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);

  return Buffer.from(await answer.arrayBuffer());
}
