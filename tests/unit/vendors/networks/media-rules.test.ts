import { describe, expect, test } from 'vitest';
import { mediaContentProblem } from '#lib/vendors/networks/media-rules.ts';
import { mediaKindAt, mediaTypeAt } from '#lib/vendors/networks/media-type.ts';
import { networkOf } from '#tests/support/networks.ts';
import { mediaAt, mediaFiles } from './local-servers.ts';
import { callsOf, connect, failureOf, useSandbox } from './setup.ts';

useSandbox();

const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const gif = Buffer.from('GIF89a....');
const mp4 = Buffer.from('\0\0\0\x18ftypisom', 'latin1');

describe('mediaKindAt', () => {
  test('returns the kind by the content, and by the file extension if that cannot be read', async () => {
    const origin = await mediaFiles({
      '/film.jpg': ['application/octet-stream', mp4],
      '/photo.mp4': ['video/mp4', jpeg],
      '/page.jpg': ['text/html', '<html>'],
    });

    expect(await mediaKindAt(`${origin}/film.jpg`)).toBe('video');
    expect(await mediaKindAt(`${origin}/photo.mp4`)).toBe('image');
    expect(await mediaKindAt(`${origin}/page.jpg`)).toBeUndefined();
    expect(await mediaKindAt(`${origin}/gone.mp4`)).toBe('video');
  });
});

describe('mediaTypeAt', () => {
  test.each([
    ['image/png', jpeg, 'JPEG'],
    ['image/jpeg', png, 'PNG'],
    ['image/jpeg', gif, 'GIF'],
    ['image/jpeg', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'WEBP'],
    ['image/jpeg', Buffer.from('\0\0\0\x18ftypheic', 'latin1'), 'HEIF'],
    ['image/jpeg', mp4, 'VIDEO'],
    ['image/jpeg', Buffer.from('1a45dfa3', 'hex'), 'VIDEO'],
    ['image/webp; q=1', Buffer.from('unknown'), 'WEBP'],
    ['video/x-msvideo', Buffer.from('unknown'), 'VIDEO'],
    ['text/html', Buffer.from('<html>'), undefined],
  ])('believes the bytes before the content type %s', async (contentType, bytes, type) => {
    expect(await mediaTypeAt(await mediaAt(contentType, bytes))).toBe(type);
  });

  test('reads the file extension if the URL cannot be read', async () => {
    const origin = await mediaFiles({});

    expect(await mediaTypeAt(`${origin}/gone.PNG`)).toBe('PNG');
    expect(await mediaTypeAt('https://unreachable.invalid/1.jpeg?x=.gif')).toBe('JPEG');
    expect(await mediaTypeAt('https://127.0.0.1/1.mp4')).toBe('VIDEO');
    expect(await mediaTypeAt('no URL')).toBeUndefined();
  });

  test('reads only the beginning of a large file', async () => {
    const large = Buffer.concat([png, Buffer.alloc(20_000_000)]);

    expect(await mediaTypeAt(await mediaAt('image/jpeg', large))).toBe('PNG');
  });
});

describe('Instagram', () => {
  test('a PNG that is called JPEG is rejected before any call', async () => {
    const origin = await mediaFiles({
      '/1.jpg': ['image/jpeg', jpeg],
      '/2.jpg': ['image/jpeg', png],
    });
    const mediaUrls = [`${origin}/1.jpg`, `${origin}/2.jpg`];
    const credentials = await connect('INSTAGRAM', 'ig-1');
    const prepared = networkOf('INSTAGRAM').prepare(credentials, { text: 'Look', mediaUrls });

    expect(await failureOf(prepared)).toMatchObject({
      kind: 'refused',
      message: 'mediaUrls.1 must be a JPEG image on INSTAGRAM, and is PNG',
    });
    expect(await callsOf('INSTAGRAM')).toEqual([]);
  });

  test.each([
    ['https://unreachable.invalid/1.gif', 'mediaUrls.0 must be a JPEG image on INSTAGRAM'],
    ['https://unreachable.invalid/1.webp', 'mediaUrls.0 must be a JPEG image on INSTAGRAM'],
  ])('%s is rejected by its ending', async (url, problem) => {
    expect(await mediaContentProblem('INSTAGRAM', [url])).toContain(problem);
  });

  test('JPEG images, videos and unknown media are accepted', async () => {
    const origin = await mediaFiles({ '/a.png': ['image/png', jpeg], '/b': ['video/mp4', mp4] });
    const urls = [`${origin}/a.png`, `${origin}/b`, 'https://unreachable.invalid/c'];

    expect(await mediaContentProblem('INSTAGRAM', urls)).toBeUndefined();
    expect(await mediaContentProblem('FACEBOOK', [await mediaAt('image/png', png)])).toBe(
      undefined,
    );
  });

  test('the sandbox rejects the image that the service no longer sends', async () => {
    const { accessToken } = await connect('INSTAGRAM', 'ig-1');
    const send = async (image_url: string) => {
      const answer = await fetch(`${process.env.INSTAGRAM_API_BASE}/v25.0/ig-1/media`, {
        method: 'POST',
        body: new URLSearchParams({ access_token: accessToken, image_url }),
      });

      return [answer.status, await answer.json()];
    };
    const rejected = [400, { error: { code: 36_001, error_subcode: 2_207_005 } }];

    expect(await send('https://example.com/1.png')).toMatchObject(rejected);
    expect(await send(await mediaAt('image/jpeg', png))).toMatchObject(rejected);
    expect(await send(await mediaAt('image/jpeg', jpeg))).toMatchObject([200, {}]);
  });
});
