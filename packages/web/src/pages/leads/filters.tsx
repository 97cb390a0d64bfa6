import { useState } from 'preact/hooks';
import { Loaded, useGet, useSend } from '../../frame/data.tsx';
import { useCan, useMembership } from '../../frame/session.tsx';
import { pipelineNames, useMembers } from '../../frame/shared-data.ts';
import { client, type Pipeline } from '../../service.ts';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { SearchFilter, SelectFilter, useFilters } from '../../ui/filters.tsx';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { statusNames } from './lead.ts';
import { filterNames, useSelection } from './selection.ts';

/** The search, and further filters. Their options load when they are opened. */
export function Filters({ pipelines }: { readonly pipelines: readonly Pipeline[] }) {
  const { those, set } = useFilters();
  const count = Object.keys(those(...filterNames)).length;
  const [isOpen, setIsOpen] = useState(count > 0);

  return (
    <>
      <SearchFilter label="Search leads" />
      {pipelines.length > 1 && (
        <SelectFilter name="pipelineId" label="Pipeline" options={pipelineNames(pipelines)} />
      )}
      <button
        type="button"
        class="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Filters{count > 0 && ` (${count})`}
      </button>
      {count > 0 && (
        <button
          type="button"
          class="button"
          onClick={() => set(Object.fromEntries(filterNames.map((name) => [name, ''])))}
        >
          Clear
        </button>
      )}
      {isOpen && <Choices />}
    </>
  );
}

function Choices() {
  const members = useMembers();
  const tags = useGet(['leads', 'tags'], (organizationId, options) =>
    client.leads.listTags({ organizationId }, options),
  );
  const segments = useGet(['leads', 'segments'], (organizationId, options) =>
    client.leads.listSegments({ organizationId }, options),
  );

  return (
    <div class="toolbar further">
      <SelectFilter name="status" label="Status" all="All statuses" options={statusNames} />
      <Loaded of={tags}>
        {({ tags: all }) => (
          <SelectFilter
            name="tag"
            label="Tag"
            all="All tags"
            options={Object.fromEntries(all.map(({ tag, count }) => [tag, `${tag} (${count})`]))}
          />
        )}
      </Loaded>
      <Loaded of={members}>
        {({ members: all }) => (
          <SelectFilter
            name="assignedToId"
            label="Assigned to"
            all="Everybody"
            options={Object.fromEntries(
              all.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]),
            )}
          />
        )}
      </Loaded>
      <Loaded of={segments}>
        {({ segments: all }) => (
          <>
            <SelectFilter
              name="segmentId"
              label="Segment"
              all="All segments"
              options={Object.fromEntries(
                all.map(({ id, name, count }) => [id, `${name} (${count})`]),
              )}
            />
            <SegmentActions segments={all} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function SegmentActions({
  segments,
}: {
  readonly segments: ReadonlyArray<{ readonly id: string; readonly name: string }>;
}) {
  const can = useCan();
  const { id: organizationId } = useMembership();
  const { set } = useFilters();
  const { segmentId, ...filter } = useSelection();
  const [opened, setOpened] = useState<'save' | 'delete'>();
  const chosen = segments.find(({ id }) => id === segmentId);
  const saving = useSend(
    ({ name = '' }: Values, options) =>
      client.leads.createSegment({ organizationId, name, filter }, options),
    { changes: ['leads'] },
  );
  const deleting = useSend(
    async (_: undefined, options) => {
      await client.leads.deleteSegment({ organizationId, segmentId: segmentId ?? '' }, options);
      set({ segmentId: '' });
    },
    { changes: ['leads'] },
  );
  if (!can('MEMBER')) {
    return null;
  }

  return (
    <>
      {!segmentId && Object.keys(filter).length > 0 && (
        <button type="button" class="button" onClick={() => setOpened('save')}>
          Save as segment
        </button>
      )}
      {chosen && (
        <button type="button" class="button" onClick={() => setOpened('delete')}>
          Delete segment
        </button>
      )}
      {opened === 'save' && (
        <Dialog title="Save as segment" onClose={() => setOpened(undefined)}>
          <Form
            sending={saving}
            action="Save segment"
            onDone={({ segment }) => {
              setOpened(undefined);
              set({
                ...Object.fromEntries(filterNames.map((n) => [n, ''])),
                segmentId: segment.id,
              });
            }}
          >
            <Field name="name" label="Name" required />
          </Form>
        </Dialog>
      )}
      {opened === 'delete' && chosen && (
        <Confirm
          title={`Delete the segment ${chosen.name}?`}
          action="Delete"
          sending={deleting}
          onClose={() => setOpened(undefined)}
        >
          <p>Its leads stay.</p>
        </Confirm>
      )}
    </>
  );
}
