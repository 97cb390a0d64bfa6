import { Pause, Play, Upload as UploadIcon, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { markChanged } from '../../frame/queries.ts';
import { useMembership } from '../../frame/session.tsx';
import { requireSameFile, startUpload, type Upload, type UploadState } from '../../frame/upload.ts';
import type { Media } from '../../service.ts';
import { Failed, Failure } from '../../ui/states.tsx';

type Running = Upload & {
  readonly id: number;
  readonly organizationId: string;
  readonly file: File;
  state: UploadState;
};

/** Uploads continue while a person visits other pages. After a reload, `ContinueUpload` resumes them. */
let uploads: readonly Running[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Running[]): void {
  uploads = next;
  for (const listener of listeners) {
    listener();
  }
}

function useUploads(): readonly Running[] {
  const { id } = useMembership();
  const [, setVersion] = useState(0);
  useEffect(() => {
    const update = () => setVersion((version) => version + 1);
    listeners.add(update);
    update();

    return () => {
      listeners.delete(update);
    };
  }, []);

  return uploads.filter(({ organizationId }) => organizationId === id);
}

/** @param begun the medium whose upload started before a reload */
function begin(
  organizationId: string,
  file: File,
  { onDone, begun }: { readonly onDone?: (media: Media) => void; readonly begun?: Media },
) {
  lastId += 1;
  const id = lastId;
  const change = (state: UploadState) => {
    if (state.kind === 'done') {
      onDone?.(state.media);
      markChanged('content');
      show(uploads.filter((upload) => upload.id !== id));
    } else {
      show(uploads.map((upload) => (upload.id === id ? { ...upload, state } : upload)));
    }
  };
  const upload = startUpload(organizationId, file, change, begun);
  show([
    ...uploads,
    { id, organizationId, file, state: { kind: 'sending', sentBytes: 0 }, ...upload },
  ]);
}

const accepted = 'image/jpeg,image/png,image/webp,image/gif,video/mp4,video/quicktime';

/** A button that uploads files and shows their progress. */
export function UploadButton({ onDone }: { readonly onDone?: (media: Media) => void }) {
  const { id: organizationId } = useMembership();
  const input = useRef<HTMLInputElement>(null);
  const current = useRef(onDone);
  current.current = onDone;
  const running = useUploads();

  return (
    <>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <UploadIcon aria-hidden="true" />
        Upload media
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accepted}
        onChange={({ currentTarget }) => {
          for (const file of currentTarget.files ?? []) {
            begin(organizationId, file, { onDone: (media) => current.current?.(media) });
          }
          currentTarget.value = '';
        }}
      />
      {running.length > 0 && (
        <ul class="uploads">
          {running.map((upload) => (
            <li key={upload.id}>
              <Progress upload={upload} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Returns whether this tab is uploading the medium. */
export function useIsUploading({ id }: Media): boolean {
  return useUploads().some(({ mediaId }) => mediaId() === id);
}

/** Continues an upload that a reload ended, with the parts that are missing. */
export function ContinueUpload({ media }: { readonly media: Media }) {
  const { id: organizationId } = useMembership();
  const input = useRef<HTMLInputElement>(null);
  const continuing = useSend(async (file: File) => {
    await requireSameFile(media, file);
    begin(organizationId, file, { begun: media });
  });

  return (
    <>
      <p class="small">Choose the file again to continue.</p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose file<span class="hidden"> {media.fileName}</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accepted}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) {
            void continuing.send(file).catch(() => undefined);
          }
          currentTarget.value = '';
        }}
      />
      {Boolean(continuing.error) && <Failure error={continuing.error} />}
    </>
  );
}

function Progress({ upload }: { readonly upload: Running }) {
  const { percent } = useFormats();
  const { id, file, state } = upload;
  const canceling = useSend(
    async () => {
      await upload.cancel();
      show(uploads.filter((other) => other.id !== id));
    },
    { changes: ['content'] },
  );
  const sentBytes = 'sentBytes' in state ? state.sentBytes : file.size;
  const words = {
    sending: percent(sentBytes / file.size),
    paused: 'Paused',
    offline: 'Connection lost. The upload goes on by itself',
    processing: 'Checking the file…',
    done: 'Uploaded',
    failed: 'Failed',
  }[state.kind];

  return (
    <div class="upload">
      <div class="upload-head">
        <span class="upload-name">{file.name}</span>
        <span class="quiet small" role="status">
          {state.kind === 'sending' ? '' : words}
        </span>
        {state.kind === 'sending' && <span class="quiet small">{words}</span>}
        {(state.kind === 'sending' || state.kind === 'offline') && (
          <button
            type="button"
            class="icon-button"
            aria-label={`Pause ${file.name}`}
            onClick={upload.pause}
          >
            <Pause aria-hidden="true" />
          </button>
        )}
        {state.kind === 'paused' && (
          <button
            type="button"
            class="icon-button"
            aria-label={`Resume ${file.name}`}
            onClick={upload.resume}
          >
            <Play aria-hidden="true" />
          </button>
        )}
        {state.kind !== 'processing' && (
          <button
            type="button"
            class="icon-button"
            aria-label={`Cancel ${file.name}`}
            aria-disabled={canceling.isSending}
            onClick={() => canceling.isSending || void canceling.send().catch(() => undefined)}
          >
            <X aria-hidden="true" />
          </button>
        )}
      </div>
      <Failed of={canceling} />
      {state.kind === 'failed' ? (
        <Failure error={state.error} onRetry={upload.resume} />
      ) : (
        <progress
          aria-label={`Upload of ${file.name}`}
          max={file.size}
          {...(state.kind === 'processing' ? {} : { value: sentBytes })}
        />
      )}
    </div>
  );
}
