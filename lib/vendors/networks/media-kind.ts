const kinds: Readonly<Record<string, 'image' | 'video'>> = {
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  webp: 'image',
  gif: 'image',
  mp4: 'video',
  mov: 'video',
  webm: 'video',
  m4v: 'video',
};

/** Returns the kind of media by the URL's file extension, or `undefined` if it is unknown. */
export function mediaKindOf(url: string): 'image' | 'video' | undefined {
  const path = URL.canParse(url) ? new URL(url).pathname : '';

  return kinds[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}
