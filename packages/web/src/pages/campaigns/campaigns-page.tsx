import { Plus } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, More, usePages } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan } from '../../frame/session.tsx';
import { client, type ListCampaignsResponse } from '../../service.ts';
import { SearchFilter, SelectFilter, useFilters } from '../../ui/filters.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Status, statusNames, statusStyles } from './campaign.ts';

export function CampaignsPage() {
  const can = useCan();
  const [, navigate] = useLocation();
  const { those } = useFilters();
  const { status, search } = those('status', 'search');
  const campaigns = usePages(['campaigns', { status, search }], (organizationId, page, options) =>
    client.campaigns.list(
      {
        organizationId,
        ...(status && { status: status as Status }),
        ...(search && { search }),
        ...page,
      },
      options,
    ),
  );
  const button = can('MEMBER') && (
    <button type="button" class="button primary" onClick={() => navigate('/campaigns/new')}>
      <Plus aria-hidden="true" />
      New campaign
    </button>
  );

  return (
    <Page title="Campaigns" actions={button}>
      <div class="toolbar">
        <SearchFilter label="Search campaigns" />
        <SelectFilter name="status" label="Status" all="All statuses" options={statusNames} />
      </div>
      <Loaded of={campaigns}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.campaigns);

          return all.length === 0 ? (
            <Nothing isFiltered={Boolean(status || search)} />
          ) : (
            <>
              <List campaigns={all} />
              <More of={campaigns} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No campaign matches" />
  ) : (
    <Empty title="No campaigns yet">
      <p>
        A campaign answers comments and messages with a keyword, and turns their writers into leads.
      </p>
    </Empty>
  );
}

function List({ campaigns }: { readonly campaigns: ListCampaignsResponse['campaigns'] }) {
  const { number } = useFormats();

  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Campaign</th>
          <th scope="col">Status</th>
          <th scope="col" class="amount">
            Leads
          </th>
          <th scope="col" class="amount">
            Converted
          </th>
          <th scope="col" class="amount">
            Clicks
          </th>
        </tr>
      </thead>
      <tbody>
        {campaigns.map(({ id, name, platform, keywords, status, leadCount, ...figures }) => (
          <tr key={id}>
            <td>
              <Link href={`/campaigns/${id}`} class="title">
                {name}
              </Link>
              <p class="quiet small">
                {networkNames[platform]}
                {keywords.length > 0 && ` · ${keywords.map(({ keyword }) => keyword).join(', ')}`}
              </p>
            </td>
            <td>
              <span class={`badge ${statusStyles[status]}`}>{statusNames[status]}</span>
            </td>
            <td class="amount" data-label="Leads">
              {number(leadCount)}
            </td>
            <td class="amount" data-label="Converted">
              {number(Math.round(figures.conversionRate))}%
            </td>
            <td class="amount" data-label="Clicks">
              {number(figures.clicks)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
