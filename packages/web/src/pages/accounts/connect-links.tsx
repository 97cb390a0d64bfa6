import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { type ConnectLink, client } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { networkNames } from '../../ui/networks.ts';

/** Usable and used connect links. Shows nothing if there are none. */
export function ConnectLinks() {
  const links = useGet(['accounts', 'links'], (organizationId, options) =>
    client.social.listConnectLinks({ organizationId }, options),
  );

  return (
    <Loaded of={links}>
      {({ connectLinks }) =>
        connectLinks.length > 0 && (
          <section class="stack" aria-labelledby="connect-links">
            <h2 id="connect-links">Connect links</h2>
            <ul class="rows">
              {connectLinks.map((link) => (
                <Row key={link.id} link={link} />
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  );
}

function Row({ link }: { readonly link: ConnectLink }) {
  const { id: organizationId } = useMembership();
  const { dateTime } = useFormats();
  const [isDeleting, setIsDeleting] = useState(false);
  const deleting = useSend(
    (_: undefined, options) =>
      client.social.deleteConnectLink({ organizationId, linkId: link.id }, options),
    { changes: ['accounts'] },
  );
  const isExpired = new Date(link.expiresAt).getTime() < Date.now();
  const [state, style] = link.usedAt
    ? [`Used ${dateTime(link.usedAt)}`, 'success']
    : [`${isExpired ? 'Expired' : 'Works until'} ${dateTime(link.expiresAt)}`, ''];

  return (
    <li class="row">
      <div class="row-main">
        <p>
          {networkNames[link.platform]} <span class={`badge ${style}`}>{state}</span>
        </p>
        <span class="quiet small">Created {dateTime(link.createdAt)}</span>
      </div>
      <button type="button" class="button" onClick={() => setIsDeleting(true)}>
        Delete<span class="hidden"> the {networkNames[link.platform]} link</span>
      </button>
      {isDeleting && (
        <Confirm
          title="Delete connect link?"
          action="Delete link"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>Nobody can connect an account by this link any more.</p>
        </Confirm>
      )}
    </li>
  );
}
