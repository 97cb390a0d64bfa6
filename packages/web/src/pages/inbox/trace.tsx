import { Loaded, useGet } from '../../frame/data.tsx';
import { useFormats } from '../../frame/formats.ts';
import { client, type TraceConversationResponse, type TracedAnswer } from '../../service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/states.tsx';
import { CampaignLink } from './customer.tsx';
import { sentenceOf } from './words.ts';

type Entry = TraceConversationResponse['trace'][number];

/** Explains what the agent did with a customer's message, or why it wrote this answer. */
export function Trace({
  conversationId,
  messageId,
  onClose,
}: {
  readonly conversationId: string;
  readonly messageId: string;
  readonly onClose: () => void;
}) {
  const trace = useGet(['inbox', 'trace', conversationId], (organizationId, options) =>
    client.debug.traceConversation({ organizationId, conversationId }, options),
  );
  const isAbout = (entry: Entry) =>
    entry.messageId === messageId ||
    answersOf(entry).some(({ answer }) => answer.replyId === messageId);

  return (
    <Dialog title="What the agent did" onClose={onClose}>
      <Loaded of={trace}>
        {(data) => {
          const entry = data.trace.find(isAbout);

          return entry ? (
            <Decision entry={entry} />
          ) : (
            <Empty title="Nothing is recorded">
              <p>The agent’s decisions are kept for 30 days.</p>
            </Empty>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function answersOf({ reply, privateReply, followUp }: Entry) {
  return [
    { title: 'Answer', answer: reply },
    { title: 'Private message', answer: privateReply },
    { title: 'Follow-up', answer: followUp },
  ].flatMap(({ title, answer }) => (answer ? [{ title, answer }] : []));
}

function Decision({ entry }: { readonly entry: Entry }) {
  const { matched, lost, isNewLead, moderationRule } = entry;
  const answers = answersOf(entry);

  return (
    <div class="decision">
      {matched ? (
        <p>
          The keyword <strong>{matched.keyword}</strong> of{' '}
          <CampaignLink campaignId={matched.campaignId} /> matched.
          {lost.length > 0 &&
            ` It went before ${lost.map(({ keyword }) => `“${keyword}”`).join(', ')}.`}
        </p>
      ) : (
        <p>No keyword of a campaign matched the customer’s message.</p>
      )}
      {isNewLead && <p>The customer became a lead.</p>}
      {moderationRule && <p>The moderation rule “{moderationRule.name}” matched.</p>}
      {answers.map(({ title, answer }) => (
        <Answer key={title} title={answers.length > 1 ? title : undefined} answer={answer} />
      ))}
    </div>
  );
}

function Answer({
  title,
  answer,
}: {
  readonly title: string | undefined;
  readonly answer: TracedAnswer;
}) {
  const formats = useFormats();
  const { confidence, detail, missingVariables, passages, outcome } = answer;

  return (
    <section class="decision">
      {title && <h3>{title}</h3>}
      <p>
        {sentenceOf(answer)}
        {outcome !== 'SENT' && detail && ` ${detail}.`}
        {confidence !== null && ` It was ${formats.percent(confidence)} sure.`}
      </p>
      {missingVariables.length > 0 && (
        <p>Its template had no value for {missingVariables.join(', ')}.</p>
      )}
      {passages.length > 0 && (
        <>
          <h3>What it knew</h3>
          <ul class="passages">
            {passages.map(({ sourceId, sourceName, text, score }) => (
              <li key={`${sourceId}${text}`}>
                <p>
                  <strong>{sourceName}</strong>{' '}
                  <span class="quiet">{formats.percent(score)} related</span>
                </p>
                <p class="quiet">{text}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      {passages.length === 0 && outcome === 'SENT' && (
        <p class="quiet">It used its instructions and the conversation, and no other knowledge.</p>
      )}
    </section>
  );
}
