import { MessageSquareText } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { type Conversation, client, type SavedReply } from '../../service.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Field, Form, TextArea, type Values } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Empty } from '../../ui/states.tsx';
import { nameOf } from './words.ts';

type Props = {
  readonly conversation: Conversation;
  /** The text of the reply field, to create a saved reply from. */
  readonly text: string;
  readonly onChoose: (text: string) => void;
};

export function SavedReplies(props: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);

  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Saved replies"
        title="Saved replies"
        onClick={() => setIsOpen(true)}
      >
        <MessageSquareText aria-hidden="true" />
      </button>
      {isOpen && <Choose {...props} onClose={close} />}
    </>
  );
}

type Edited = Pick<SavedReply, 'name' | 'text'> & { readonly id?: string };

function Choose({
  conversation,
  text,
  onChoose,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const fillIn = useFillIn(conversation);
  const [edited, setEdited] = useState<Edited>();
  const replies = useGet(['saved-replies'], (_, options) =>
    client.ai.listSavedReplies({ organizationId }, options),
  );
  const [deleted, setDeleted] = useState<SavedReply>();
  if (edited) {
    return <Edit edited={edited} onClose={() => setEdited(undefined)} />;
  }
  if (deleted) {
    return <Delete reply={deleted} onClose={() => setDeleted(undefined)} />;
  }

  return (
    <Dialog title="Saved replies" onClose={onClose}>
      <Loaded of={replies}>
        {({ savedReplies }) =>
          savedReplies.length === 0 ? (
            <Empty title="No saved replies yet">
              <p>Save an answer that your team writes often, and choose it here.</p>
            </Empty>
          ) : (
            <ul class="saved-replies">
              {savedReplies.map((reply) => (
                <li key={reply.id}>
                  <button
                    type="button"
                    class="saved-reply"
                    onClick={() => {
                      onChoose(fillIn(reply.text));
                      onClose();
                    }}
                  >
                    <strong>{reply.name}</strong>
                    <span class="quiet">{reply.text}</span>
                  </button>
                  <button type="button" class="link-button" onClick={() => setEdited(reply)}>
                    Edit<span class="hidden"> {reply.name}</span>
                  </button>
                  <button type="button" class="link-button" onClick={() => setDeleted(reply)}>
                    Delete<span class="hidden"> {reply.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <div class="actions">
        <button type="button" class="button" onClick={() => setEdited({ name: '', text })}>
          New saved reply
        </button>
      </div>
    </Dialog>
  );
}

function Edit({ edited, onClose }: { readonly edited: Edited; readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const { id: savedReplyId } = edited;
  const saving = useSend(
    async ({ name = '', text = '' }: Values, options) =>
      savedReplyId
        ? client.ai.updateSavedReply({ organizationId, savedReplyId, name, text }, options)
        : client.ai.createSavedReply({ organizationId, name, text }, options),
    { changes: ['saved-replies'] },
  );

  return (
    <Dialog title={savedReplyId ? 'Edit saved reply' : 'New saved reply'} onClose={onClose}>
      <Form sending={saving} action="Save" onDone={onClose}>
        <Field name="name" label="Name" defaultValue={edited.name} maxLength={100} required />
        <TextArea
          name="text"
          label="Text"
          rows={6}
          defaultValue={edited.text}
          maxLength={2_000}
          hint="{{customerName}}, {{companyName}}, {{platform}} and {{currentDate}} are filled in."
          required
        />
      </Form>
    </Dialog>
  );
}

function Delete({ reply, onClose }: { readonly reply: SavedReply; readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const deleting = useSend(
    (_: undefined, options) =>
      client.ai.deleteSavedReply({ organizationId, savedReplyId: reply.id }, options),
    { changes: ['saved-replies'] },
  );

  return (
    <Confirm title={`Delete “${reply.name}”?`} action="Delete" sending={deleting} onClose={onClose}>
      <p>Nobody in your team can choose it any more.</p>
    </Confirm>
  );
}

/** Fills in the placeholders of a saved reply. People can then edit the text. */
function useFillIn({ customer, platform }: Conversation) {
  const { name: companyName } = useMembership();
  const formats = useFormats();
  const values: Readonly<Record<string, string>> = {
    companyName,
    customerName: nameOf(customer),
    platform: networkNames[platform],
    currentDate: formats.date(new Date()),
    language: '',
  };

  return (text: string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name) => values[name] ?? whole);
}
