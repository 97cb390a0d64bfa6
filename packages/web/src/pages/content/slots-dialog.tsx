import { Plus, X } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import { client, type GetPostingSlotsResponse } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, Select } from '../../ui/form.tsx';

type Slots = GetPostingSlotsResponse['slots'];

/** 1 is Monday. January 1, 2024 was a Monday. */
const weekdays = Object.fromEntries(
  Array.from({ length: 7 }, (_, index) => [
    String(index + 1),
    new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, index + 1),
    ),
  ]),
);

/** The organization's weekly posting times. */
export function SlotsDialog({ onClose }: { readonly onClose: () => void }) {
  const slots = useGet(['content', 'slots'], (organizationId, options) =>
    client.content.getPostingSlots({ organizationId }, options),
  );

  return (
    <Dialog title="Posting slots" onClose={onClose}>
      <Loaded of={slots}>
        {({ slots: stored }) => <Edit stored={stored} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function Edit({ stored, onClose }: { readonly stored: Slots; readonly onClose: () => void }) {
  const { id: organizationId } = useMembership();
  const [slots, setSlots] = useState(stored);
  const saving = useSend(
    (_: unknown, options) => client.content.updatePostingSlots({ organizationId, slots }, options),
    { changes: ['content'] },
  );
  const set = (index: number, changed: Partial<Slots[number]>) =>
    setSlots(slots.map((slot, at) => (at === index ? { ...slot, ...changed } : slot)));

  return (
    <Form sending={saving} action="Save" onDone={onClose}>
      {slots.length === 0 && <p class="quiet">None yet.</p>}
      {slots.map(({ weekday, time }, index) => (
        <div key={index} class="slot">
          <Select
            name={`slots.${index}.weekday`}
            label={`Day ${index + 1}`}
            options={weekdays}
            value={String(weekday)}
            onChange={({ currentTarget }) => set(index, { weekday: Number(currentTarget.value) })}
          />
          <Field
            name={`slots.${index}.time`}
            label={`Time ${index + 1}`}
            type="time"
            required
            value={time}
            onInput={({ currentTarget }) => set(index, { time: currentTarget.value })}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove slot ${index + 1}`}
            onClick={() => setSlots(slots.filter((_, at) => at !== index))}
          >
            <X aria-hidden="true" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button small-button"
        onClick={() => setSlots([...slots, { weekday: 1, time: '09:00', socialAccountId: null }])}
      >
        <Plus aria-hidden="true" />
        Add slot
      </button>
    </Form>
  );
}
