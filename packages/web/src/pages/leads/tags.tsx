import { X } from 'lucide-preact';
import { useSend } from '../../frame/data.tsx';
import { useCan, useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Failed } from '../../ui/states.tsx';
import type { DetailedLead } from './lead.ts';

export function Tags({ lead: { id: leadId, tags } }: { readonly lead: DetailedLead }) {
  const can = useCan()('MEMBER');
  const { id: organizationId } = useMembership();
  const adding = useSend(
    ({ tag = '' }: Values, options) =>
      client.leads.addTags({ organizationId, leadId, tags: [tag.trim()] }, options),
    { changes: ['leads'] },
  );
  const removing = useSend(
    (tag: string, options) => client.leads.removeTag({ organizationId, leadId, tag }, options),
    { changes: ['leads'] },
  );

  return (
    <section class="card stack" aria-labelledby="lead-tags">
      <h2 id="lead-tags">Tags</h2>
      {tags.length > 0 ? (
        <ul class="tags">
          {tags.map((tag) => (
            <li key={tag} class="badge">
              {tag}
              {can && (
                <button
                  type="button"
                  class="badge-button"
                  aria-label={`Remove the tag ${tag}`}
                  onClick={() => removing.send(tag).catch(() => undefined)}
                >
                  <X aria-hidden="true" />
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">None</p>
      )}
      <Failed of={removing} />
      {can && (
        <Form sending={adding} action="Add" class="inline-form minor" onDone={() => true}>
          <Field name="tag" label="New tag" required />
        </Form>
      )}
    </section>
  );
}
