import { useLocation } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useDraftOf } from '../../frame/drafts.ts';
import { useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Checkbox, Field, Form, TextArea } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { ownVariablesOf } from './variables.ts';

const newTest = { testId: '', first: '', second: '', optimizes: true };

export function NewTestPage() {
  const { id: organizationId, name: companyName } = useMembership();
  const [, navigate] = useLocation();
  const { value: edited, change, forget } = useDraftOf('ab-test:new', newTest);
  const starting = useSend(
    async (_: unknown, { idempotencyKey, ...options }) => {
      const create = (variant: string, templateContent: string) =>
        client.ai.createInteractiveTemplate(
          {
            organizationId,
            name: `${edited.testId} ${variant}`,
            templateContent,
            inputVariables: ownVariablesOf(templateContent),
            businessInfo: { companyName },
            abTestVariant: {
              testId: edited.testId,
              variant,
              weight: 1,
              optimize: edited.optimizes,
            },
          },
          { ...options, idempotencyKey: `${idempotencyKey}-${variant}` },
        );
      await create('A', edited.first);

      return create('B', edited.second);
    },
    { changes: ['agents'] },
  );

  return (
    <Page title="New A/B test">
      <Form
        sending={starting}
        action="Start test"
        onDone={() => {
          forget();
          navigate('/agents/tests', { replace: true });
        }}
      >
        <Field
          name="name"
          label="Name"
          required
          value={edited.testId}
          onInput={({ currentTarget }) => change({ testId: currentTarget.value })}
        />
        <TextArea
          name="first"
          label="Instructions A"
          rows={6}
          required
          value={edited.first}
          onInput={({ currentTarget }) => change({ first: currentTarget.value })}
        />
        <TextArea
          name="second"
          label="Instructions B"
          rows={6}
          required
          hint="Each conversation gets one of the two, and keeps it."
          value={edited.second}
          onInput={({ currentTarget }) => change({ second: currentTarget.value })}
        />
        <Checkbox
          name="optimize"
          label="Give the better one more conversations"
          hint="From 100 conversations each"
          checked={edited.optimizes}
          onChange={({ currentTarget }) => change({ optimizes: currentTarget.checked })}
        />
      </Form>
    </Page>
  );
}
