import type { NormalisedEvent, SentFile } from './network.ts';

/** More than any network allows in a message. */
const maxFiles = 10;
const maxUrlLength = 4_096;

/** Returns the files as fields of an event. Drops URLs that cannot be fetched or opened. */
export function namedFiles(files: readonly SentFile[]): Pick<NormalisedEvent, 'attachments'> {
  const attachments = files
    .slice(0, maxFiles)
    .map(({ url, ...file }) => (isUsable(url) ? { ...file, url } : file));

  return attachments.length > 0 ? { attachments } : {};
}

function isUsable(url: string | undefined): url is string {
  return (
    url !== undefined &&
    url.length <= maxUrlLength &&
    ['https:', 'http:'].includes(URL.parse(url)?.protocol ?? '')
  );
}
