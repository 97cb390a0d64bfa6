import { useLocation } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { pipelineNames } from '../../frame/shared-data.ts';
import { client, type Pipeline } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, Select, type Values } from '../../ui/form.tsx';

export function NewLeadDialog({
  pipelines,
  onClose,
}: {
  readonly pipelines: readonly Pipeline[];
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useMembership();
  const [, navigate] = useLocation();
  const creating = useSend(
    (values: Values, options) => {
      const { pipelineId, 'contact.name': name, 'contact.email': email } = values;
      const { 'contact.phone': phone, 'contact.company': company } = values;

      return client.leads.createWithContact(
        {
          organizationId,
          contact: {
            name: name ?? '',
            email: email ?? '',
            ...(phone && { phone }),
            ...(company && { company }),
          },
          pipelineId: pipelineId ?? pipelines[0]?.id ?? '',
          source: 'manual',
        },
        options,
      );
    },
    { changes: ['leads'] },
  );

  return (
    <Dialog title="New lead" onClose={onClose}>
      <Form
        sending={creating}
        action="Create lead"
        onDone={({ lead }) => navigate(`/leads/${lead.id}`)}
      >
        <Field name="contact.name" label="Name" required />
        <Field name="contact.email" label="Email" type="email" required />
        <Field name="contact.phone" label="Phone" type="tel" />
        <Field name="contact.company" label="Company" />
        {pipelines.length > 1 && (
          <Select name="pipelineId" label="Pipeline" options={pipelineNames(pipelines)} />
        )}
      </Form>
    </Dialog>
  );
}
