import { useLocation } from 'wouter-preact';
import { Loaded, useOrganization } from '../../frame/data.tsx';
import { useAccounts, useCapabilities } from '../../frame/shared-data.ts';
import { Page } from '../../ui/page.tsx';
import { Composer } from './composer.tsx';

export function NewPostPage() {
  const organization = useOrganization();
  const accounts = useAccounts();
  const capabilities = useCapabilities();
  const [, navigate] = useLocation();

  return (
    <Page title="New post">
      <Loaded of={organization}>
        {({ organization: { timezone } }) => (
          <Loaded of={accounts}>
            {({ socialAccounts }) => (
              <Loaded of={capabilities}>
                {({ capabilities: networks }) => (
                  <Composer
                    accounts={socialAccounts}
                    capabilities={networks}
                    timeZone={timezone}
                    onDone={(path) => navigate(path, { replace: true })}
                  />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
