import { Check, Minus } from 'lucide-preact';
import { Loaded } from '../../frame/data.tsx';
import { useCapabilities } from '../../frame/shared-data.ts';
import type { ListCapabilitiesResponse } from '../../service.ts';
import { networkNames } from '../../ui/networks.ts';
import { Scrolling } from '../../ui/scrolling.tsx';

type Network = ListCapabilitiesResponse['capabilities'][number];

const abilities: Readonly<Record<string, keyof Network['supports']>> = {
  'Reply to comments': 'commentReply',
  'Reply to comments in private': 'privateReply',
  'Hide comments': 'hideComment',
  'Receive private messages': 'messageEvents',
  'Send private messages': 'directMessage',
  'Posts without media': 'textOnlyPost',
  'Change published posts': 'editPublished',
  'Delete posts': 'deletePost',
  Threads: 'thread',
};

export function NetworkTable() {
  const capabilities = useCapabilities();

  return (
    <div class="stack">
      <h2>What each network can do</h2>
      <Loaded of={capabilities}>
        {({ capabilities: all }) => (
          <Scrolling label="What each network can do">
            <table class="network-table">
              <thead>
                <tr>
                  <td />
                  {all.map(({ platform }) => (
                    <th key={platform} scope="col">
                      {networkNames[platform]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                <Row
                  name="Receive comments"
                  cells={all.map(({ supports, pollsComments }) => (
                    <YesOrNo isYes={supports.commentEvents || pollsComments} />
                  ))}
                />
                {Object.entries(abilities).map(([name, ability]) => (
                  <Row
                    key={name}
                    name={name}
                    cells={all.map(({ supports }) => <YesOrNo isYes={supports[ability]} />)}
                  />
                ))}
                <Row
                  name="Time to reply to a message"
                  cells={all.map(({ replyWindowHours: hours }) =>
                    hours === null ? 'No limit' : `${hours} hours`,
                  )}
                />
                <Row
                  name="Characters of a post"
                  cells={all.map(({ maxPostLength }) => maxPostLength)}
                />
              </tbody>
            </table>
          </Scrolling>
        )}
      </Loaded>
    </div>
  );
}

function Row({
  name,
  cells,
}: {
  readonly name: string;
  readonly cells: readonly preact.ComponentChild[];
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td key={index}>{cell}</td>
      ))}
    </tr>
  );
}

function YesOrNo({ isYes }: { readonly isYes: boolean }) {
  return isYes ? (
    <>
      <Check class="yes" aria-hidden="true" />
      <span class="hidden">Yes</span>
    </>
  ) : (
    <>
      <Minus class="no" aria-hidden="true" />
      <span class="hidden">No</span>
    </>
  );
}
