import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { isReal } from '../../ui/addresses.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { sourceName } from '../../ui/source-name.ts';
import { Failure } from '../../ui/states.tsx';
import { Activities } from './activities.tsx';
import { type DetailedLead, nameOf, statusNames, statusStyles } from './lead.ts';
import { LeadForm } from './lead-form.tsx';
import { LeadMenu } from './lead-menu.tsx';
import { useMoveLead } from './move-lead.ts';
import { Tags } from './tags.tsx';

export function LeadPage({ leadId }: { readonly leadId: string }) {
  const can = useCan();
  const query = useGetByLink(['leads', leadId], (organizationId, options) =>
    client.leads.get({ organizationId, leadId }, options),
  );
  const lead = query.data?.lead;

  return (
    <Page
      title={lead ? nameOf(lead) : 'Lead'}
      actions={lead && can('MEMBER') && <Actions lead={lead} />}
    >
      <Loaded of={query}>
        {({ lead: loaded }) => (
          <>
            <p class="actions">
              <span class="badge">{loaded.stage?.name}</span>
              {loaded.stage?.name !== statusNames[loaded.status] && (
                <span class={`badge ${statusStyles[loaded.status]}`}>
                  {statusNames[loaded.status]}
                </span>
              )}
            </p>
            <div class="lead-columns">
              <div class="stack">
                <LeadForm key={loaded.id} lead={loaded} />
                <Activities lead={loaded} />
              </div>
              <div class="stack">
                <Tags lead={loaded} />
                <Facts lead={loaded} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ lead }: { readonly lead: DetailedLead }) {
  const { id: organizationId } = useMembership();
  const [, navigate] = useLocation();
  const [isDeleting, setIsDeleting] = useState(false);
  const { move, failed } = useMoveLead();
  const deleting = useSend(
    async (_: undefined, options) => {
      await client.leads.delete({ organizationId, leadId: lead.id }, options);
      navigate('/leads', { replace: true });
    },
    { changes: ['leads'] },
  );

  return (
    <>
      <LeadMenu
        lead={lead}
        stages={lead.pipeline?.stages ?? []}
        onMove={(stage) => move(lead, stage)}
        isIcon={false}
      >
        <button type="button" onClick={() => setIsDeleting(true)}>
          Delete lead
        </button>
      </LeadMenu>
      {failed && <Failure error={failed.error} onRetry={() => move(failed.lead, failed.stage)} />}
      {isDeleting && (
        <Confirm
          title="Delete this lead?"
          action="Delete"
          sending={deleting}
          onClose={() => setIsDeleting(false)}
        >
          <p>The lead and its activities are deleted permanently. The contact stays.</p>
        </Confirm>
      )}
    </>
  );
}

function Facts({ lead }: { readonly lead: DetailedLead }) {
  const { dateTime } = useFormats();
  const { contact, campaignId, conversationId, attribution, contentPost } = lead;
  const facts: Readonly<Record<string, preact.ComponentChild>> = {
    Email: contact && isReal(contact.email) && (
      <a href={`mailto:${contact.email}`}>{contact.email}</a>
    ),
    Phone: contact?.phone && <a href={`tel:${contact.phone}`}>{contact.phone}</a>,
    Company: contact?.company,
    Source: sourceName(lead.source),
    Network: attribution && networkNames[attribution.network],
    Keyword: attribution?.keyword,
    Campaign: campaignId && <Link href={`/campaigns/${campaignId}`}>Open campaign</Link>,
    Conversation: conversationId && (
      <Link href={`/conversations/${conversationId}`}>Open conversation</Link>
    ),
    Post: contentPost?.content.slice(0, 140),
    Created: dateTime(lead.createdAt),
    Converted: lead.convertedAt && dateTime(lead.convertedAt),
  };

  return (
    <section class="card stack" aria-labelledby="lead-facts">
      <h2 id="lead-facts">Contact</h2>
      <dl class="pairs">
        {Object.entries(facts)
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
