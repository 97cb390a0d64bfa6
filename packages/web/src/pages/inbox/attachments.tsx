import { Paperclip } from 'lucide-preact';
import type { Message } from '../../service.ts';
import { attachmentNames } from './words.ts';

type Attachment = Message['attachments'][number];

/** Shows files from our storage. Stories and shares stay at the network, and are shown as links. */
export function Attachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  return (
    <>
      {attachments.map((attachment) => (
        <File key={attachment.id} {...attachment} />
      ))}
    </>
  );
}

function File({ kind, url }: Attachment) {
  const name = attachmentNames[kind];
  if (url === null) {
    return <p class="quiet">{name}: not available</p>;
  }
  if (kind === 'IMAGE' || kind === 'STICKER') {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" class="file-image">
        <img src={url} alt={name} loading="lazy" />
      </a>
    );
  }
  if (kind === 'VIDEO') {
    // biome-ignore lint/a11y/useMediaCaption: customers send none.
    return <video src={url} controls preload="none" aria-label={name} />;
  }
  if (kind === 'AUDIO') {
    // biome-ignore lint/a11y/useMediaCaption: customers send none.
    return <audio src={url} controls preload="none" aria-label={name} />;
  }

  return /^https?:/.test(url) ? (
    <a href={url} target="_blank" rel="noopener noreferrer" class="file-link">
      <Paperclip aria-hidden="true" />
      {name}
    </a>
  ) : (
    <p class="quiet">{name}</p>
  );
}
