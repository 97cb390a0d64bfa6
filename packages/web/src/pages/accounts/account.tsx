import { Ellipsis } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client, type SocialAccount } from '../../service.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Failed } from '../../ui/states.tsx';
import { useAuthorize } from './authorize.ts';

type Shown = { readonly account: SocialAccount };

export function Account({ account }: Shown) {
  const can = useCan();
  const { ago } = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const { platform, platformUserName: name, isActive, lastSyncAt } = account;

  return (
    <li class="card account-card">
      <div class="account-head">
        <Avatar name={name} />
        <div class="account-title">
          <h2>{name}</h2>
          <p class="quiet">
            {networkNames[platform]}
            {lastSyncAt && ` · synced ${ago(lastSyncAt)}`}
          </p>
        </div>
        <span class={`badge ${isActive ? 'success' : 'danger'}`}>
          {isActive ? 'Connected' : 'Disconnected by the network'}
        </span>
        {can('MEMBER') && <Actions account={account} />}
      </div>
      <Problems account={account} />
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          Access details<span class="hidden"> of {name}</span>
        </summary>
        {isOpen && <TokenHealth account={account} />}
      </details>
    </li>
  );
}

/** Problems that a person has to fix. */
function Problems({ account }: Shown) {
  const can = useCan();
  const authorizing = useAuthorize();
  const { id: accountId, platform, isActive, inactiveReason, messaging } = account;
  const needsMessages = isActive && (messaging === 'EXPIRED' || messaging === 'MISSING');
  const consent =
    needsMessages && platform === 'TIKTOK'
      ? ({ platform, accountId, purpose: 'messaging' } as const)
      : { platform, accountId };
  const texts = [
    !isActive && `${inactiveReason ?? 'The network no longer accepts our access.'}`,
    needsMessages &&
      (messaging === 'EXPIRED'
        ? 'Access to messages has expired.'
        : 'Messages and comments need a second permission.'),
    account.subscriptionFailure && `New events may not arrive: ${account.subscriptionFailure}`,
  ].filter(Boolean);
  if (texts.length === 0) {
    return null;
  }
  const start = () => authorizing.send(consent).catch(() => undefined);

  return (
    <div class="notice">
      <div>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {can('ADMIN') && (!isActive || needsMessages) && (
        <button
          type="button"
          class="button"
          aria-disabled={authorizing.isSending}
          onClick={() => authorizing.isSending || void start()}
        >
          {needsMessages ? 'Allow messages' : 'Connect again'}
        </button>
      )}
      <Failed of={authorizing} />
    </div>
  );
}

function Actions({ account }: Shown) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const { id: accountId, platform, platformUserName: name } = account;
  const [isLeaving, setIsLeaving] = useState(false);
  const authorizing = useAuthorize();
  const checking = useSend(
    (_: undefined, options) =>
      client.social.validateAccountToken({ organizationId, accountId }, options),
    { changes: ['accounts'] },
  );
  const disconnecting = useSend(
    (_: undefined, options) =>
      client.social.disconnectAccount({ organizationId, accountId }, options),
    { changes: ['accounts', 'campaigns', 'content'] },
  );
  const reconnect = () => authorizing.send({ platform, accountId }).catch(() => undefined);
  const check = () => checking.send().catch(() => undefined);

  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        class="icon-button"
        button={<Ellipsis aria-hidden="true" />}
      >
        <button type="button" onClick={() => void check()}>
          Check access
        </button>
        {can('ADMIN') && (
          <>
            <button type="button" onClick={() => void reconnect()}>
              Connect again
            </button>
            <button type="button" onClick={() => setIsLeaving(true)}>
              Disconnect
            </button>
          </>
        )}
      </Menu>
      <Failed of={checking} />
      <Failed of={authorizing} />
      {isLeaving && (
        <Confirm
          title={`Disconnect ${name}?`}
          action="Disconnect"
          sending={disconnecting}
          onClose={() => setIsLeaving(false)}
        >
          <p>
            Its scheduled posts are canceled, and its comments and messages no longer arrive. Leads
            and conversations stay.
          </p>
        </Confirm>
      )}
    </>
  );
}

function TokenHealth({ account }: Shown) {
  const { dateTime, ago, number } = useFormats();
  const health = useGet(['accounts', account.id, 'token'], (organizationId, options) =>
    client.social.getTokenHealth({ organizationId, accountId: account.id }, options),
  );

  return (
    <Loaded of={health}>
      {({ tokenHealth: token }) => (
        <dl class="pairs">
          <dt>Access</dt>
          <dd>
            {token.expiresAt ? `Until ${dateTime(token.expiresAt)}` : 'Does not expire'}
            {token.refreshable && ', renewed automatically'}
          </dd>
          {token.lastRefreshAt && (
            <>
              <dt>Last renewed</dt>
              <dd>{ago(token.lastRefreshAt)}</dd>
            </>
          )}
          {token.lastError && (
            <>
              <dt>Last problem</dt>
              <dd>{token.lastError}</dd>
            </>
          )}
          {token.postsAtRisk > 0 && (
            <>
              <dt>Posts at risk</dt>
              <dd>
                {number(token.postsAtRisk)} scheduled after access ends. Connect again before.
              </dd>
            </>
          )}
          <dt>Missing permissions</dt>
          <dd>{token.missingPermissions.join(', ') || 'None'}</dd>
          <dt>Events</dt>
          <dd>
            {account.subscribedAt
              ? `Confirmed ${ago(account.subscribedAt)}`
              : 'Not confirmed by the network'}
          </dd>
        </dl>
      )}
    </Loaded>
  );
}
