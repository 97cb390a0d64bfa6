import type { ComponentType } from 'preact';
import { Redirect, Route, Switch } from 'wouter-preact';
import { NotFound } from '../../frame/not-found.tsx';
import { useCan } from '../../frame/session.tsx';
import { For, Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Members } from './members.tsx';
import { Notifications } from './notifications.tsx';
import { Organization } from './organization.tsx';
import { Security } from './security.tsx';
import { Webhooks } from './webhooks.tsx';

type Tab = {
  readonly name: string;
  readonly Component: ComponentType;
  /**
   * What other people cannot do here. Only admins and owners see the tab; others who open its
   * address see this text.
   */
  readonly forAdmins?: string;
};

const tabs: Readonly<Record<string, Tab>> = {
  organization: { name: 'Organization', Component: Organization },
  members: { name: 'Members', Component: Members },
  'api-keys': { name: 'API keys', Component: ApiKeys, forAdmins: 'manage API keys' },
  webhooks: { name: 'Webhooks', Component: Webhooks, forAdmins: 'manage webhooks' },
  notifications: { name: 'Notifications', Component: Notifications },
  security: { name: 'Security', Component: Security },
};

export function Area() {
  const can = useCan();
  const names = Object.entries(tabs)
    .filter(([, { forAdmins }]) => !forAdmins || can('ADMIN'))
    .map(([path, { name }]) => [`/settings/${path}`, name] as const);

  return (
    <Switch>
      <Route path="/settings">
        <Redirect to="/settings/organization" replace />
      </Route>
      {Object.entries(tabs).map(([path, { Component, forAdmins }]) => (
        <Route key={path} path={`/settings/${path}`}>
          <Page title="Settings">
            <Tabs label="Settings" names={names} />
            <div class="settings">
              <For role={forAdmins ? 'ADMIN' : 'VIEWER'} may={forAdmins ?? ''}>
                <Component />
              </For>
            </div>
          </Page>
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}
