import { useRef, useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { type ConnectLink, client, type Platform } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, Select, type Values } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';

const lifetimes = { 24: '1 day', 72: '3 days', 168: '7 days' };

export function CreateLinkDialog({ onClose }: { readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const [link, setLink] = useState<ConnectLink>();
  const creating = useSend(
    ({ platform, expiresInHours, email }: Values, options) =>
      client.social.createConnectLink(
        {
          organizationId,
          platform: platform as Platform,
          expiresInHours: Number(expiresInHours),
          ...(email && { email }),
        },
        options,
      ),
    { changes: ['accounts'] },
  );

  return (
    <Dialog title="Create connect link" onClose={onClose}>
      {link ? (
        <Created link={link} />
      ) : (
        <Form
          sending={creating}
          action="Create link"
          onDone={({ connectLink }) => setLink(connectLink)}
        >
          <p>
            Somebody else can use the link to connect their account to this organization, without an
            account here. It works once.
          </p>
          <Select name="platform" label="Network" options={networkNames} />
          <Select name="expiresInHours" label="Valid for" options={lifetimes} value="72" />
          <Field
            name="email"
            label="Email"
            type="email"
            hint="Optional. We send the link to this address."
          />
        </Form>
      )}
    </Dialog>
  );
}

function Created({ link }: { readonly link: ConnectLink }) {
  const { dateTime } = useFormats();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link.url ?? '');
      setIsCopied(true);
    } catch {
      // The link is selected, so that people can copy it by hand.
    }
  };

  return (
    <div class="stack">
      <p>Copy the link now: it is shown only once. It works until {dateTime(link.expiresAt)}.</p>
      <div class="field">
        <label for="connect-link">Link</label>
        <input ref={field} id="connect-link" type="text" readOnly value={link.url ?? ''} />
      </div>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => void copy()}>
          Copy
        </button>
        <span role="status">{isCopied && 'Copied'}</span>
      </div>
    </div>
  );
}
