import { useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { localTime } from '../../frame/zoned.ts';
import { client, PageError } from '../../service.ts';
import { Field } from '../../ui/form.tsx';
import { Failed } from '../../ui/states.tsx';
import { SlotsDialog } from './slots-dialog.tsx';

/** The publication time of a post, in the organization's time zone. */
export function DateField({
  at,
  timeZone,
  accountId,
  isRequired = false,
  onChange,
}: {
  readonly at: string;
  readonly timeZone: string;
  /** The account whose posting slots are used. */
  readonly accountId: string | undefined;
  readonly isRequired?: boolean;
  readonly onChange: (at: string) => void;
}) {
  const { id: organizationId } = useMembership();
  const [isEditing, setIsEditing] = useState(false);
  const finding = useSend(async () => {
    if (!accountId) {
      throw new PageError('Choose an account first.');
    }
    const { slot } = await client.content.getNextPostingSlot({
      organizationId,
      socialAccountId: accountId,
    });
    if (!slot) {
      throw new PageError('No posting slot is free. Add posting slots first.');
    }
    onChange(localTime(slot.at, timeZone));
  });

  return (
    <div class="stack date-field">
      <Field
        name="scheduledAt"
        label="Date and time"
        type="datetime-local"
        required={isRequired}
        hint={`On the clocks of ${timeZone.replaceAll('_', ' ')}`}
        value={at}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <div class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={finding.isSending}
          onClick={() => finding.isSending || void finding.send().catch(() => undefined)}
        >
          Next free slot
        </button>
        <button type="button" class="button" onClick={() => setIsEditing(true)}>
          Posting slots
        </button>
      </div>
      <Failed of={finding} />
      {isEditing && <SlotsDialog onClose={() => setIsEditing(false)} />}
    </div>
  );
}
