import { Route, Switch } from 'wouter-preact';
import { For } from '../../ui/page.tsx';
import { AccountsPage } from './accounts-page.tsx';
import { ConnectPage } from './connect-page.tsx';

export function Area() {
  return (
    <Switch>
      <Route path="/social/connect">
        <For role="ADMIN" may="connect accounts">
          <ConnectPage />
        </For>
      </Route>
      <Route>
        <AccountsPage />
      </Route>
    </Switch>
  );
}
