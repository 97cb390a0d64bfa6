import { useId, useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership, useUser } from '../../frame/session.tsx';
import { client, type Note } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Failed } from '../../ui/states.tsx';
import { useMembers } from './members.ts';

/** The team's notes about a customer. Neither the customer nor the AI sees them. */
export function Notes({ conversationId }: { readonly conversationId: string }) {
  const { id: ownId } = useUser();
  const can = useCan();
  const formats = useFormats();
  const { memberName } = useMembers();
  const [deleted, setDeleted] = useState<Note>();
  const notes = useGet(['inbox', 'notes', conversationId], (organizationId, options) =>
    client.ai.listNotes({ organizationId, conversationId }, options),
  );

  return (
    <>
      {can('MEMBER') && <AddNote conversationId={conversationId} />}
      <Loaded of={notes}>
        {(data) => (
          <ul class="notes">
            {data.notes.map((note) => (
              <li key={note.id} class="note">
                <p class="message-text">{note.text}</p>
                <p class="message-facts">
                  <span>{memberName(note.createdById)}</span>
                  <time dateTime={note.createdAt}>{formats.dateTime(note.createdAt)}</time>
                  {(note.createdById === ownId ? can('MEMBER') : can('ADMIN')) && (
                    <button type="button" class="link-button" onClick={() => setDeleted(note)}>
                      Delete
                    </button>
                  )}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {deleted && (
        <DeleteNote
          conversationId={conversationId}
          note={deleted}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}

function AddNote({ conversationId }: { readonly conversationId: string }) {
  const { id: organizationId } = useMembership();
  const id = useId();
  const [text, setText] = useDraft(`note:${conversationId}`);
  const adding = useSend(
    (note: string, options) =>
      client.ai.createNote({ organizationId, conversationId, text: note }, options),
    { changes: ['inbox'] },
  );
  const add = async () => {
    if (text.trim() === '' || adding.isSending) {
      return;
    }
    try {
      await adding.send(text.trim());
      setText('');
    } catch {
      // Shown from `adding.error`.
    }
  };

  return (
    <form
      class="add-note"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class="hidden" for={id}>
        Note
      </label>
      <textarea
        id={id}
        rows={2}
        placeholder="Only your team sees notes"
        maxLength={5_000}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Failed of={adding} onRetry={add} />
      <button type="submit" class="button" aria-disabled={text.trim() === '' || adding.isSending}>
        Add note
      </button>
    </form>
  );
}

function DeleteNote({
  conversationId,
  note,
  onClose,
}: {
  readonly conversationId: string;
  readonly note: Note;
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useMembership();
  const deleting = useSend(
    (_: undefined, options) =>
      client.ai.deleteNote({ organizationId, conversationId, noteId: note.id }, options),
    { changes: ['inbox'] },
  );

  return (
    <Confirm title="Delete this note?" action="Delete" sending={deleting} onClose={onClose}>
      <p class="message-text">{note.text}</p>
    </Confirm>
  );
}
