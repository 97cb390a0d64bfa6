import { useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { useAccounts } from '../../frame/shared-data.ts';
import { client, type GetCampaignResponse } from '../../service.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { For, Page } from '../../ui/page.tsx';
import { Failed } from '../../ui/states.tsx';
import { matchNames, type Status, statusNames, statusStyles } from './campaign.ts';
import { CampaignEditor } from './campaign-editor.tsx';
import { TryMessage } from './try-message.tsx';

type Shown = { readonly campaign: GetCampaignResponse['campaign'] };

export function CampaignPage({ campaignId }: { readonly campaignId: string }) {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const isEditing = params.has('edit');
  const query = useGetByLink(['campaigns', campaignId], (organizationId, options) =>
    client.campaigns.get({ organizationId, campaignId }, options),
  );
  const campaign = query.data?.campaign;

  return (
    <Page
      title={campaign?.name ?? 'Campaign'}
      actions={campaign && !isEditing && <Actions campaign={campaign} />}
    >
      <Loaded of={query}>
        {({ campaign: loaded }) =>
          isEditing ? (
            <For role="MEMBER" may="change campaigns">
              <CampaignEditor
                campaign={loaded}
                onDone={() => navigate(`/campaigns/${campaignId}`, { replace: true })}
              />
            </For>
          ) : (
            <Details campaign={loaded} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Details({ campaign }: Shown) {
  const { number } = useFormats();
  const figures = {
    Leads: number(campaign.leadCount),
    Converted: `${number(Math.round(campaign.conversionRate))}%`,
    Clicks: number(campaign.clicks),
    Interactions: number(campaign.totalInteractions),
    'Average response time': `${number(Math.round(campaign.averageResponseTime))} s`,
  };

  return (
    <>
      <p>
        <span class={`badge ${statusStyles[campaign.status]}`}>{statusNames[campaign.status]}</span>
      </p>
      <dl class="figures">
        {Object.entries(figures).map(([name, value]) => (
          <div key={name} class="card">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="editor">
        <section class="stack" aria-labelledby="campaign-keywords">
          <h2 id="campaign-keywords">Keywords</h2>
          {campaign.keywords.length === 0 ? (
            <p class="quiet">None yet. Without a keyword, the campaign finds no messages.</p>
          ) : (
            <ul class="keywords">
              {campaign.keywords.map(({ id, keyword, matchType }) => (
                <li key={id}>
                  <span class="quiet">{matchNames[matchType]}</span> “{keyword}”
                </li>
              ))}
            </ul>
          )}
          <AccountNames ids={campaign.socialAccountIds} />
        </section>
        <TryMessage campaign={campaign} />
      </div>
    </>
  );
}

function AccountNames({ ids }: { readonly ids: readonly string[] }) {
  const accounts = useAccounts();

  return (
    <>
      <h2>Accounts</h2>
      <Loaded of={accounts}>
        {({ socialAccounts }) => (
          <p>
            {socialAccounts
              .filter(({ id }) => ids.includes(id))
              .map(({ platformUserName }) => platformUserName)
              .join(', ') || 'None'}
          </p>
        )}
      </Loaded>
    </>
  );
}

/** The statuses that can follow each status. */
const changes: Readonly<Record<Status, Readonly<Record<string, Status>>>> = {
  DRAFT: { Start: 'ACTIVE', Archive: 'ARCHIVED' },
  ACTIVE: { Pause: 'PAUSED', Complete: 'COMPLETED', Archive: 'ARCHIVED' },
  PAUSED: { Resume: 'ACTIVE', Complete: 'COMPLETED', Archive: 'ARCHIVED' },
  COMPLETED: { Archive: 'ARCHIVED' },
  ARCHIVED: {},
};

function Actions({ campaign: { id: campaignId, name, status } }: Shown) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const [, navigate] = useLocation();
  const [isDeleting, setIsDeleting] = useState(false);
  const changing = useSend(
    (to: Status, options) =>
      client.campaigns.update({ organizationId, campaignId, status: to }, options),
    { changes: ['campaigns'] },
  );
  const deleting = useSend(
    async (_: undefined, options) => {
      await client.campaigns.delete({ organizationId, campaignId }, options);
      navigate('/campaigns', { replace: true });
    },
    { changes: ['campaigns'] },
  );
  if (!can('MEMBER')) {
    return null;
  }

  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => navigate(`/campaigns/${campaignId}?edit=1`)}
      >
        Edit
      </button>
      {(can('ADMIN') || status !== 'ARCHIVED') && (
        <Menu label="Actions">
          {Object.entries(changes[status]).map(([label, to]) => (
            <button key={to} type="button" onClick={() => changing.send(to).catch(() => undefined)}>
              {label}
            </button>
          ))}
          {can('ADMIN') && (
            <button type="button" onClick={() => setIsDeleting(true)}>
              Delete
            </button>
          )}
        </Menu>
      )}
      <Failed of={changing} />
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete campaign"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>Its keywords, agents and statistics are deleted, too. Its leads stay.</p>
        </Confirm>
      )}
    </>
  );
}
