import { Route, Switch } from 'wouter-preact';
import { For } from '../../ui/page.tsx';
import { CampaignPage } from './campaign-page.tsx';
import { CampaignsPage } from './campaigns-page.tsx';
import { NewCampaignPage } from './new-campaign-page.tsx';

export function Area() {
  return (
    <Switch>
      <Route path="/campaigns/new">
        <For role="MEMBER" may="create campaigns">
          <NewCampaignPage />
        </For>
      </Route>
      <Route path="/campaigns/:id">{({ id }) => <CampaignPage key={id} campaignId={id} />}</Route>
      <Route>
        <CampaignsPage />
      </Route>
    </Switch>
  );
}
