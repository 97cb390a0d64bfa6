import { Loaded, useGet } from '../../frame/data.tsx';
import { client } from '../../service.ts';
import { Page } from '../../ui/page.tsx';
import { Checklist } from './checklist.tsx';
import { Today } from './today.tsx';

/** Shows the steps up to the first lead, and afterwards a summary of the day. */
export function Area() {
  const leads = useGet(['leads', 'latest'], (organizationId, options) =>
    client.leads.list({ organizationId, limit: 50 }, options),
  );

  return (
    <Page title="Home">
      <Loaded of={leads}>
        {({ leads: latest }) => (latest.length === 0 ? <Checklist /> : <Today leads={latest} />)}
      </Loaded>
    </Page>
  );
}
