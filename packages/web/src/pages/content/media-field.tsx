import { useQueries } from '@tanstack/preact-query';
import { X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { queries } from '../../frame/queries.ts';
import { useMembership } from '../../frame/session.tsx';
import { client, type Media } from '../../service.ts';
import { Failure } from '../../ui/states.tsx';
import { LibraryDialog, Thumbnail } from './library.tsx';
import { UploadButton } from './uploads.tsx';

const keyOf = (organizationId: string, mediaId: string) => [
  organizationId,
  'content',
  'medium',
  mediaId,
];

/** Loads the media of a post. */
export function useMediaOf(mediaIds: readonly string[]) {
  const { id: organizationId } = useMembership();
  const loaded = useQueries({
    queries: mediaIds.map((mediaId) => ({
      queryKey: keyOf(organizationId, mediaId),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await client.media.get({ organizationId, mediaId }, { signal })).media,
    })),
  });
  const failed = loaded.filter(({ error }) => error);

  return {
    media: loaded.flatMap(({ data }) => (data ? [data] : [])),
    failure: failed.length > 0 && (
      <Failure error={failed[0]?.error} onRetry={() => failed.map((query) => query.refetch())} />
    ),
  };
}

/** The media of a post in order. They are uploaded here or chosen from the library. */
export function MediaField({
  mediaIds,
  media,
  onChange,
}: {
  readonly mediaIds: readonly string[];
  readonly media: readonly Media[];
  readonly onChange: (change: (mediaIds: readonly string[]) => readonly string[]) => void;
}) {
  const { id: organizationId } = useMembership();
  const [isChoosing, setIsChoosing] = useState(false);
  const remove = (mediaId: string) => onChange((ids) => ids.filter((id) => id !== mediaId));

  return (
    <fieldset>
      <legend>Media</legend>
      {media.length > 0 && (
        <ul class="thumbnails small-thumbnails">
          {media.map((medium) => (
            <li key={medium.id} class="thumbnail">
              <Thumbnail media={medium} />
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${medium.fileName}`}
                onClick={() => remove(medium.id)}
              >
                <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <UploadButton
          onDone={(uploaded) => {
            queries.setQueryData(keyOf(organizationId, uploaded.id), uploaded);
            onChange((ids) => [...ids, uploaded.id]);
          }}
        />
        <button type="button" class="button" onClick={() => setIsChoosing(true)}>
          Choose from library
        </button>
      </div>
      {isChoosing && (
        <LibraryDialog
          chosen={mediaIds}
          onToggle={(mediaId) =>
            mediaIds.includes(mediaId) ? remove(mediaId) : onChange((ids) => [...ids, mediaId])
          }
          onClose={() => setIsChoosing(false)}
        />
      )}
    </fieldset>
  );
}
