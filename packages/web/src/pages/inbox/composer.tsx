import { Paperclip, X } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useGet, useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { uploadMedia } from '../../frame/upload.ts';
import { type Conversation, client } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { SavedReplies } from './saved-replies.tsx';
import type { Replies } from './use-replies.ts';

type Props = { readonly conversation: Conversation; readonly replies: Replies };

/** The reply field, or the reason why the network accepts no reply. */
export function Composer({ conversation, replies }: Props) {
  const permission = useGet(['inbox', 'can-reply', conversation.id], (organizationId, options) =>
    client.debug.canReplyToConversation(
      { organizationId, conversationId: conversation.id },
      options,
    ),
  );
  const person = permission.data?.canReply.person;
  // A field that appears first and is taken away could lose what somebody has begun to write.
  if (permission.isPending) {
    return <Loading label="Checking whether you can reply" />;
  }

  return (
    <>
      {permission.error && (
        <Failure error={permission.error} onRetry={() => permission.refetch()} />
      )}
      {person?.allowed === false ? (
        <Closed conversation={conversation} reason={person.reason} />
      ) : (
        <Writing conversation={conversation} replies={replies} until={person?.until ?? null} />
      )}
    </>
  );
}

function Closed({
  conversation: { platform, channel },
  reason,
}: {
  readonly conversation: Conversation;
  readonly reason: string | null;
}) {
  const network = networkNames[platform];
  if (reason === 'ACCOUNT_INACTIVE') {
    return (
      <p class="notice">
        <span>
          You can’t reply, because {network} no longer accepts this account’s connection.{' '}
          <Link href="/social/accounts">Connect it again</Link>, then reply here.
        </span>
      </p>
    );
  }

  return (
    <p class="notice">
      {reason === 'WINDOW_CLOSED'
        ? `You can’t reply now: ${network} allows replies only for a while after a message from the customer. You can reply as soon as the customer writes.`
        : `You can’t reply from here: ${network} doesn’t let us answer ${channel === 'DIRECT_MESSAGE' ? 'private messages' : 'this'}.`}
    </p>
  );
}

function Writing({ conversation, replies, until }: Props & { readonly until: string | null }) {
  const { controller } = conversation;
  const { draft: text, setDraft: setText } = replies;
  const file = useFile(conversation);
  const field = useRef<HTMLTextAreaElement>(null);
  const formats = useFormats();
  const isEmpty = text.trim() === '' && !file.attached;
  const cannotSend = isEmpty || replies.isSending || file.isUploading;
  const send = async () => {
    if (cannotSend) {
      field.current?.focus();

      return;
    }
    try {
      await replies.send({
        text: text.trim(),
        mediaIds: file.attached ? [file.attached.id] : [],
      });
      file.remove();
    } catch {
      // Shown from `replies.error`.
    }
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {Boolean(replies.error) && (
        <Failure error={replies.error} onRetry={isEmpty ? undefined : send} />
      )}
      {file.failure}
      <div class="composer-box">
        <textarea
          ref={field}
          rows={2}
          aria-label="Reply"
          placeholder={
            controller === 'BOT' ? 'Reply to take over from the agent…' : 'Write a reply…'
          }
          maxLength={10_000}
          aria-keyshortcuts="Control+Enter"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void send();
            }
          }}
        />
        {file.attached && (
          <p class="composer-file">
            <Paperclip aria-hidden="true" />
            <span>{file.attached.name}</span>
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove ${file.attached.name}`}
              onClick={file.remove}
            >
              <X aria-hidden="true" />
            </button>
          </p>
        )}
        <div class="composer-tools">
          {file.button}
          <SavedReplies
            conversation={conversation}
            text={text}
            onChoose={(chosen) => {
              setText(text.trim() === '' ? chosen : `${text.trimEnd()}\n${chosen}`);
              field.current?.focus();
            }}
          />
          <span class="composer-until small quiet">
            {until && `Reply by ${formats.dateTime(until)}`}
          </span>
          <button type="submit" class="button primary" aria-disabled={cannotSend}>
            {replies.isSending ? 'Sending…' : 'Send'}
          </button>
        </div>
      </div>
    </form>
  );
}

type Attached = { readonly id: string; readonly name: string };

/** Networks on which the API can send files in private messages. */
const takesFiles: readonly string[] = ['FACEBOOK', 'INSTAGRAM'];
const accepted = 'image/jpeg,image/png,image/gif,video/mp4,video/quicktime';

/** The file of a reply. It is uploaded when chosen, and survives a reload. */
function useFile({ id, platform, channel }: Conversation) {
  const { id: organizationId } = useMembership();
  const [draft, setDraft] = useDraft(`reply-file:${id}`);
  const [chosen, setChosen] = useState<File>();
  const input = useRef<HTMLInputElement>(null);
  const uploading = useSend(async (file: File) => {
    const media = await uploadMedia(organizationId, file);
    setDraft(JSON.stringify({ id: media.id, name: media.fileName } satisfies Attached));
  });
  const upload = (file: File | undefined) => {
    setChosen(file);

    return file && uploading.send(file).catch(() => undefined);
  };

  return {
    attached: draft ? (JSON.parse(draft) as Attached) : undefined,
    isUploading: uploading.isSending,
    remove: () => setDraft(''),
    failure: Boolean(uploading.error) && (
      <Failure error={uploading.error} onRetry={() => upload(chosen)} />
    ),
    button: channel === 'DIRECT_MESSAGE' && takesFiles.includes(platform) && (
      <>
        <button
          type="button"
          class="icon-button"
          aria-label="Attach file"
          title="Attach file"
          aria-disabled={uploading.isSending}
          onClick={() => uploading.isSending || input.current?.click()}
        >
          {uploading.isSending ? (
            <span class="spinner" aria-hidden="true" />
          ) : (
            <Paperclip aria-hidden="true" />
          )}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept={accepted}
          onChange={({ currentTarget }) => {
            void upload(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <span role="status" class="hidden">
          {uploading.isSending && 'Uploading'}
        </span>
      </>
    ),
  };
}
