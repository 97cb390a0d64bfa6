import { Route, Switch } from 'wouter-preact';
import { LeadPage } from './lead-page.tsx';
import { LeadsPage } from './leads-page.tsx';

export function Area() {
  return (
    <Switch>
      <Route path="/leads/:id">{({ id }) => <LeadPage key={id} leadId={id} />}</Route>
      <Route>
        <LeadsPage />
      </Route>
    </Switch>
  );
}
