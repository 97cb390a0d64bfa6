import { Check, Film } from 'lucide-preact';
import { Loaded, More, usePages } from '../../frame/data.tsx';
import { client, type Media } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/states.tsx';

export type MediaKind = NonNullable<Media['kind']>;

/** The media library, newest first. */
export function useMedia(kind?: MediaKind) {
  return usePages(['content', 'media', kind], (organizationId, page, options) =>
    client.media.list({ organizationId, ...(kind && { kind }), ...page }, options),
  );
}

export function Thumbnail({ media }: { readonly media: Media }) {
  const { url, kind, altText, fileName } = media;
  if (kind === 'IMAGE' && url !== null) {
    return <img src={url} alt={altText ?? fileName} loading="lazy" />;
  }

  return (
    <span class="no-picture">
      <Film aria-hidden="true" />
      <span class="small">{fileName}</span>
    </span>
  );
}

/** A dialog to choose media from the library. */
export function LibraryDialog({
  chosen,
  onToggle,
  onClose,
}: {
  readonly chosen: readonly string[];
  readonly onToggle: (mediaId: string) => void;
  readonly onClose: () => void;
}) {
  const library = useMedia();

  return (
    <Dialog title="Media library" onClose={onClose}>
      <Loaded of={library}>
        {({ pages }) => {
          const all = pages
            .flatMap(({ mediaItems }) => mediaItems)
            .filter(({ status }) => status === 'READY');

          return all.length === 0 ? (
            <Empty title="The library is empty">
              <p>Upload an image or a video first.</p>
            </Empty>
          ) : (
            <ul class="thumbnails">
              {all.map((media) => (
                <li key={media.id}>
                  <button
                    type="button"
                    class="thumbnail"
                    aria-pressed={chosen.includes(media.id)}
                    onClick={() => onToggle(media.id)}
                  >
                    <Thumbnail media={media} />
                    <Check class="chosen" aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <More of={library} />
      <div class="actions">
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
