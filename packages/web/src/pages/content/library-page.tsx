import { useState } from 'preact/hooks';
import { Loaded, More, useReread, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client, type Media, type MediaUsage } from '../../service.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { SelectFilter, useFilters } from '../../ui/filters.tsx';
import { Form, TextArea } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { ContentHead } from './content-head.tsx';
import { type MediaKind, Thumbnail, useMedia } from './library.tsx';
import { ContinueUpload, useIsUploading } from './uploads.tsx';

export function LibraryPage() {
  const { filter } = useFilters();
  const kind = filter('kind');
  const library = useMedia(kind === '' ? undefined : (kind as MediaKind));
  const shown = library.data?.pages.flatMap(({ mediaItems }) => mediaItems) ?? [];
  useReread('content', { while: shown.some(({ status }) => status === 'PROCESSING') });

  return (
    <Page title="Media" actions={<ContentHead />}>
      <div class="toolbar">
        <SelectFilter
          name="kind"
          label="Kind"
          all="Images and videos"
          options={{ IMAGE: 'Images', VIDEO: 'Videos' }}
        />
      </div>
      <Loaded of={library}>
        {({ pages }) => (
          <>
            {pages[0] && <Usage usage={pages[0].usage} />}
            {shown.length === 0 ? (
              <Empty title="No media yet">
                <p>Images of up to 20 MB and videos of up to 1 GB, for posts on any network.</p>
              </Empty>
            ) : (
              <ul class="thumbnails">
                {shown.map((media) => (
                  <li key={media.id}>
                    <Item media={media} />
                  </li>
                ))}
              </ul>
            )}
            <More of={library} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Usage({ usage: { bytes, limitBytes } }: { readonly usage: MediaUsage }) {
  const { fileSize } = useFormats();

  return (
    <p class="quiet">
      {fileSize(bytes)} of {fileSize(limitBytes)} used
    </p>
  );
}

const problems: Readonly<Partial<Record<Media['status'], string>>> = {
  UPLOADING: 'Not uploaded completely',
  PROCESSING: 'Being checked…',
  REJECTED: 'Rejected',
};

function Item({ media }: { readonly media: Media }) {
  const can = useCan();
  const { fileSize } = useFormats();
  const isUploading = useIsUploading(media);
  const [opened, setOpened] = useState<'details' | 'deletion'>();
  const { fileName, status, failureReason, altText, kind, bytes } = media;
  const close = () => setOpened(undefined);
  const facts = [
    isUploading ? 'Being uploaded…' : problems[status],
    status === 'READY' && kind === 'IMAGE' && altText === null && 'No alternative text',
    failureReason,
    bytes !== null && fileSize(bytes),
  ].filter(Boolean);

  return (
    <article class="card medium" aria-label={fileName}>
      <div class="thumbnail">
        <Thumbnail media={media} />
      </div>
      <p class="medium-name">{fileName}</p>
      <p class="quiet small">{facts.join(' · ')}</p>
      {can('MEMBER') && !isUploading && (
        <div class="actions">
          {status === 'UPLOADING' && <ContinueUpload media={media} />}
          {kind === 'IMAGE' && (
            <button type="button" class="button" onClick={() => setOpened('details')}>
              Describe<span class="hidden"> {fileName}</span>
            </button>
          )}
          <button type="button" class="button" onClick={() => setOpened('deletion')}>
            Delete<span class="hidden"> {fileName}</span>
          </button>
        </div>
      )}
      {opened === 'details' && <Description media={media} onClose={close} />}
      {opened === 'deletion' && <Deletion media={media} onClose={close} />}
    </article>
  );
}

type InDialog = { readonly media: Media; readonly onClose: () => void };

function Description({ media, onClose }: InDialog) {
  const { id: organizationId } = useMembership();
  const saving = useSend(
    ({ altText = '' }: { readonly altText?: string }, options) =>
      client.media.update(
        { organizationId, mediaId: media.id, altText: altText.trim() || null },
        options,
      ),
    { changes: ['content'] },
  );

  return (
    <Dialog title={media.fileName} onClose={onClose}>
      <Form sending={saving} action="Save" onDone={onClose}>
        <TextArea
          name="altText"
          label="Alternative text"
          hint="What the image shows, for people who can’t see it."
          defaultValue={media.altText ?? ''}
        />
      </Form>
    </Dialog>
  );
}

function Deletion({ media, onClose }: InDialog) {
  const { id: organizationId } = useMembership();
  const deleting = useSend(() => client.media.delete({ organizationId, mediaId: media.id }), {
    changes: ['content'],
  });

  return (
    <Confirm
      title={`Delete ${media.fileName}?`}
      action="Delete medium"
      sending={deleting}
      onClose={onClose}
    >
      <p>Published posts keep it at their network.</p>
    </Confirm>
  );
}
