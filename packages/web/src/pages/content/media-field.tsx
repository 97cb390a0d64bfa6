import { useQueries } from '@tanstack/preact-query';
import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
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
    queries: [...new Set(mediaIds)].map((mediaId) => ({
      queryKey: keyOf(organizationId, mediaId),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await client.media.get({ organizationId, mediaId }, { signal })).media,
    })),
  });
  const failed = loaded.filter(({ error }) => error);
  const media = loaded.flatMap(({ data }) => (data ? [data] : []));

  return {
    /** Returns the media that are loaded. */
    mediaOf: (ids: readonly string[]) =>
      ids.flatMap((id) => media.find((medium) => medium.id === id) ?? []),
    failure: failed.length > 0 && (
      <Failure error={failed[0]?.error} onRetry={() => failed.map((query) => query.refetch())} />
    ),
  };
}

type ChosenProps = {
  readonly mediaIds: readonly string[];
  readonly media: readonly Media[];
  readonly onChange: (change: (mediaIds: readonly string[]) => readonly string[]) => void;
};

/** The media of a post in order. They are uploaded here or chosen from the library. */
export function MediaField(props: ChosenProps) {
  const { id: organizationId } = useMembership();

  return (
    <fieldset>
      <legend>Media</legend>
      <LibraryMedia {...props} of="">
        <UploadButton
          onDone={(uploaded) => {
            queries.setQueryData(keyOf(organizationId, uploaded.id), uploaded);
            props.onChange((ids) => [...ids, uploaded.id]);
          }}
        />
      </LibraryMedia>
    </fieldset>
  );
}

/** Media from the library, such as those of a part of a thread. */
export function LibraryMedia({
  of,
  mediaIds,
  media,
  onChange,
  children,
}: ChosenProps & {
  /** What the media belong to, such as ` for part 2`. */
  readonly of: string;
  readonly children?: ComponentChildren;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const remove = (mediaId: string) => onChange((ids) => ids.filter((id) => id !== mediaId));

  return (
    <>
      {media.length > 0 && (
        <ul class="thumbnails small-thumbnails">
          {media.map((medium) => (
            <li key={medium.id} class="thumbnail">
              <Thumbnail media={medium} />
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${medium.fileName}${of}`}
                onClick={() => remove(medium.id)}
              >
                <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        {children}
        <button type="button" class="button" onClick={() => setIsChoosing(true)}>
          Choose from library<span class="hidden">{of}</span>
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
    </>
  );
}
