import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Failures, Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useCan, useMembership } from '../../frame/session.tsx';
import { type Conversation, client } from '../../service.ts';
import { isReal } from '../../ui/addresses.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, Select, type Values } from '../../ui/form.tsx';
import { Notes } from './notes.tsx';
import { nameOf } from './words.ts';

/** The customer's name, leads and the team's notes. */
export function Customer({ conversation }: { readonly conversation: Conversation }) {
  return (
    <aside class="customer" aria-label="Customer">
      <section>
        <h2>Contact</h2>
        <Contact conversation={conversation} />
      </section>
      <section>
        <h2>Leads</h2>
        <Leads conversation={conversation} />
      </section>
      <section>
        <h2>Notes</h2>
        <Notes conversationId={conversation.id} />
      </section>
    </aside>
  );
}

function Contact({ conversation }: { readonly conversation: Conversation }) {
  const { contactId, customer, attribution, createdAt } = conversation;
  const formats = useFormats();
  const { keyword, campaignId } = attribution ?? {};

  return (
    <>
      {contactId && <ContactDetails contactId={contactId} knownAs={nameOf(customer)} />}
      <dl class="customer-facts">
        {customer.username && <Fact name="Username">@{customer.username}</Fact>}
        {keyword && <Fact name="Keyword">{keyword}</Fact>}
        {campaignId && (
          <Fact name="Campaign">
            <CampaignLink campaignId={campaignId} />
          </Fact>
        )}
        <Fact name="Since">{formats.date(createdAt)}</Fact>
      </dl>
      {contactId && (
        <p>
          <Link href={`/inbox?contactId=${contactId}`}>All conversations</Link>
        </p>
      )}
    </>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ContactDetails({
  contactId,
  knownAs,
}: {
  readonly contactId: string;
  readonly knownAs: string;
}) {
  const contact = useGet(['leads', 'contact', contactId], (organizationId, options) =>
    client.leads.getContact({ organizationId, contactId }, options),
  );

  return (
    <Loaded of={contact}>
      {({ contact: { name, email, phone, company, tags } }) => (
        <dl class="customer-facts">
          {name !== knownAs && <Fact name="Name">{name}</Fact>}
          {company && <Fact name="Company">{company}</Fact>}
          {isReal(email) && (
            <Fact name="Email">
              <a href={`mailto:${email}`}>{email}</a>
            </Fact>
          )}
          {phone && (
            <Fact name="Phone">
              <a href={`tel:${phone}`}>{phone}</a>
            </Fact>
          )}
          {tags.length > 0 && (
            <Fact name="Tags">
              <span class="actions">
                {tags.map((tag) => (
                  <span key={tag} class="badge">
                    {tag}
                  </span>
                ))}
              </span>
            </Fact>
          )}
        </dl>
      )}
    </Loaded>
  );
}

export function CampaignLink({ campaignId }: { readonly campaignId: string }) {
  const query = useGet(['campaigns', 'one', campaignId], (organizationId, options) =>
    client.campaigns.get({ organizationId, campaignId }, options),
  );

  return (
    <>
      <Link href={`/campaigns/${campaignId}`}>
        {query.data?.campaign.name ?? 'Open the campaign'}
      </Link>
      <Failures of={[query]} />
    </>
  );
}

function Leads({ conversation }: { readonly conversation: Conversation }) {
  const can = useCan();
  const [isCreating, setIsCreating] = useState(false);
  const leads = useGet(['leads', 'of', conversation.id], (organizationId, options) =>
    client.leads.list({ organizationId, conversationId: conversation.id }, options),
  );

  return (
    <>
      <Loaded of={leads}>
        {(data) =>
          data.leads.length === 0 ? (
            <p class="quiet">This customer isn’t a lead yet.</p>
          ) : (
            <ul class="leads-of">
              {data.leads.map(({ id, pipeline, stage, status }) => (
                <li key={id}>
                  <Link href={`/leads/${id}`}>{pipeline?.name ?? 'Lead'}</Link>
                  <span class={`badge ${status === 'CONVERTED' ? 'success' : ''}`}>
                    {stage?.name ?? status}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {can('MEMBER') && leads.data?.leads.length === 0 && (
        <button type="button" class="button" onClick={() => setIsCreating(true)}>
          Create lead
        </button>
      )}
      {isCreating && (
        <CreateLead conversation={conversation} onClose={() => setIsCreating(false)} />
      )}
    </>
  );
}

function CreateLead({
  conversation: { id: conversationId, platform },
  onClose,
}: {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useMembership();
  const pipelines = useGet(['leads', 'pipelines'], (_, options) =>
    client.leads.listPipelines({ organizationId }, options),
  );
  const creating = useSend(
    ({ pipelineId = '' }: Values, options) =>
      client.leads.convertConversation(
        { organizationId, conversationId, pipelineId, source: platform.toLowerCase() },
        options,
      ),
    { changes: ['leads', 'inbox'] },
  );

  return (
    <Dialog title="Create lead" onClose={onClose}>
      <Loaded of={pipelines}>
        {(data) => (
          <Form sending={creating} action="Create" onDone={onClose}>
            <Select
              name="pipelineId"
              label="Pipeline"
              value={data.pipelines.find(({ isDefault }) => isDefault)?.id}
              options={Object.fromEntries(data.pipelines.map(({ id, name }) => [id, name]))}
            />
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}
