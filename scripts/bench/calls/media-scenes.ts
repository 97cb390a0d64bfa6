import type { Contract } from '#schemas/contract.ts';
import * as media from '#schemas/media.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import type { Account, World } from './world.ts';

type Library = { readonly world: World; readonly owner: Account };

function libraryCall(
  contract: Contract,
  prepare: (library: Library) => Call | Promise<Call> = () => ({}),
): Scene {
  return callOf(contract, async (world) => {
    const owner = await world.newAccount();
    const call = await prepare({ world, owner });
    const params = { organization_id: owner.organizationId, ...call.params };

    return { token: owner.token, ...call, params };
  });
}

/** A one-pixel GIF. */
const image = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const upload = { fileName: 'engine.gif', contentType: 'image/gif', bytes: image.length };

async function uploaded({ world, owner }: Library): Promise<Call> {
  const params = { organization_id: owner.organizationId };
  const answer = await world.call(media.createMediaUpload, {
    token: owner.token,
    params,
    body: upload,
  });
  await fetch(answer.upload.url, {
    method: 'PUT',
    headers: { 'content-type': upload.contentType },
    body: image,
  });

  return { params: { media_id: answer.media.id } };
}

async function completed(library: Library): Promise<Call> {
  const { world, owner } = library;
  const call = await uploaded(library);
  await world.call(media.completeMediaUpload, {
    token: owner.token,
    params: { organization_id: owner.organizationId, ...call.params },
    body: {},
  });

  return call;
}

export const mediaScenes: Readonly<Record<string, Scene>> = {
  'create-media-upload': libraryCall(media.createMediaUpload, () => ({ body: upload })),
  'complete-media-upload': libraryCall(media.completeMediaUpload, async (library) => ({
    ...(await uploaded(library)),
    body: {},
  })),
  'create-media-from-url': libraryCall(media.createMediaFromUrl, () => ({
    body: { url: 'https://example.com/engine.jpg' },
  })),
  'list-media': libraryCall(media.listMedia, async (library) => {
    await uploaded(library);

    return {};
  }),
  'get-media': libraryCall(media.getMedia, uploaded),
  'update-media': libraryCall(media.updateMedia, async (library) => ({
    ...(await uploaded(library)),
    body: { altText: 'A red engine' },
  })),
  'delete-media': libraryCall(media.deleteMedia, uploaded),
  'media-processing': async (world) => {
    const owner = await world.newAccount();
    await world.queues.drain();
    await completed({ world, owner });

    return world.queues.takeEvent('media-processing');
  },
};
