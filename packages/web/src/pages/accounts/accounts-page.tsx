import { useState } from 'preact/hooks';
import { Loaded } from '../../frame/data.tsx';
import { useCan } from '../../frame/session.tsx';
import { useAccounts } from '../../frame/shared-data.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Account } from './account.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { ConnectLinks } from './connect-links.tsx';
import { CreateLinkDialog } from './create-link-dialog.tsx';
import { NetworkTable } from './network-table.tsx';

type Opened = 'connect' | 'link' | undefined;

export function AccountsPage() {
  const can = useCan();
  const [opened, setOpened] = useState<Opened>();
  const accounts = useAccounts();
  const close = () => setOpened(undefined);
  const actions = can('ADMIN') && (
    <>
      <button type="button" class="button" onClick={() => setOpened('link')}>
        Create connect link
      </button>
      <button type="button" class="button primary" onClick={() => setOpened('connect')}>
        Connect account
      </button>
    </>
  );

  return (
    <Page title="Accounts" actions={actions}>
      <Loaded of={accounts}>
        {({ socialAccounts }) =>
          socialAccounts.length === 0 ? (
            <Empty title="No accounts yet">
              <p>
                {can('ADMIN')
                  ? 'Connect a page or profile, and its comments and messages arrive in the inbox.'
                  : 'An owner or admin can connect pages and profiles.'}
              </p>
            </Empty>
          ) : (
            <ul class="accounts" aria-label="Connected accounts">
              {socialAccounts.map((account) => (
                <Account key={account.id} account={account} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {can('ADMIN') && <ConnectLinks />}
      <NetworkTable />
      {opened === 'connect' && <ConnectDialog onClose={close} />}
      {opened === 'link' && <CreateLinkDialog onClose={close} />}
    </Page>
  );
}
