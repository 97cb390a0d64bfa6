import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Scrolling } from '../../ui/scrolling.tsx';
import { Region } from '../../ui/section.tsx';

export function Usage() {
  const { number, money } = useFormats();
  const usage = useGet(['usage'], (organizationId, options) =>
    client.billing.getUsage({ organizationId }, options),
  );

  return (
    <Region title="Usage" about="This month and the last one, by days in UTC.">
      <Loaded of={usage}>
        {({ usage: { currentPeriod: now, previousPeriod: before, trends } }) => (
          <Scrolling label="Table: Usage">
            <table class="usage">
              <caption class="hidden">Usage</caption>
              <thead>
                <tr>
                  <td />
                  <th scope="col" class="amount">
                    This month
                  </th>
                  <th scope="col" class="amount">
                    Last month
                  </th>
                  <th scope="col" class="amount">
                    Change
                  </th>
                </tr>
              </thead>
              <tbody>
                <Row
                  name="Answers"
                  cells={[
                    number(now.messagesSent),
                    number(before.messagesSent),
                    trends.messagesChange,
                  ]}
                />
                <Row
                  name="Credits"
                  cells={[number(now.creditsUsed), number(before.creditsUsed), '']}
                />
                <Row
                  name="Cost"
                  cells={[money(now.cost, 'USD'), money(before.cost, 'USD'), trends.costChange]}
                />
              </tbody>
            </table>
          </Scrolling>
        )}
      </Loaded>
      <Report />
    </Region>
  );
}

/** A file with all transactions of some days, including each answer that used credits. */
function Report() {
  const { id: organizationId } = useMembership();
  const [url, setUrl] = useState('');
  const creating = useSend(({ startDate = '', endDate = '' }: Values, options) =>
    client.billing.createUsageReport({ organizationId, startDate, endDate }, options),
  );

  return (
    <Form
      sending={creating}
      action="Create report"
      onDone={({ reportUrl }) => setUrl(reportUrl)}
      aside={url && <a href={url}>Download report</a>}
    >
      <div class="columns">
        <Field name="startDate" label="First day" type="date" required />
        <Field name="endDate" label="Last day" type="date" required />
      </div>
    </Form>
  );
}

function Row({ name, cells }: { readonly name: string; readonly cells: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td key={index} class="amount">
          {cell}
        </td>
      ))}
    </tr>
  );
}
