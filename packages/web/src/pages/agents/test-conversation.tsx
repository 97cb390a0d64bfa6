import { useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useDraft } from '../../frame/drafts.ts';
import { useFormats } from '../../frame/formats.ts';
import { useMembership } from '../../frame/session.tsx';
import { client, type KnowledgePassage, type PromptTemplate } from '../../service.ts';
import { Field, Form, TextArea, type Values } from '../../ui/form.tsx';
import { Scrolling } from '../../ui/scrolling.tsx';

type Tested = {
  readonly question: string;
  readonly answer: string;
  readonly passages: readonly KnowledgePassage[];
  readonly steps: readonly string[];
  readonly prompt: string | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly ms: number;
};

/**
 * A test conversation with an agent, or with a template that no agent uses. Nothing is sent to
 * customers.
 */
export function TestConversation({
  agentId,
  template,
}: {
  readonly agentId?: string | undefined;
  readonly template?: PromptTemplate;
}) {
  const { id: organizationId } = useMembership();
  const [message, setMessage] = useDraft(`test:${agentId ?? template?.id}`);
  const [tested, setTested] = useState<readonly Tested[]>([]);
  const [variables, setVariables] = useState<Values>({});
  const asking = useSend(async (_: unknown, options) => {
    const question = message.trim();
    const answered = agentId
      ? await askAgent({ organizationId, agentId }, question, tested, options)
      : await askTemplate({ templateId: template?.id ?? '', variables }, question, options);
    setTested((before) => [...before, { question, ...answered }]);
  });

  return (
    <section class="card stack try" aria-labelledby="test-conversation">
      <h2 id="test-conversation">Test conversation</h2>
      {tested.length > 0 && (
        <Scrolling label="Test messages" class="test-messages">
          <ul class="stack" aria-live="polite">
            {tested.map((one, index) => (
              <li key={index} class="stack">
                <p class="text test-question">{one.question}</p>
                <div class="test-answer">
                  <p class="text">{one.answer}</p>
                  <Trace tested={one} />
                </div>
              </li>
            ))}
          </ul>
        </Scrolling>
      )}
      <Form
        sending={asking}
        action={asking.isSending ? 'Sending…' : 'Send'}
        onDone={() => setMessage('')}
        aside={
          tested.length > 0 && (
            <button type="button" class="button" onClick={() => setTested([])}>
              Start over
            </button>
          )
        }
      >
        {(agentId ? [] : (template?.inputVariables ?? [])).map((name) => (
          <Field
            key={name}
            name={`variables.${name}`}
            label={name}
            hint="Agents and campaigns give the value."
            value={variables[name] ?? ''}
            onInput={({ currentTarget }) =>
              setVariables({ ...variables, [name]: currentTarget.value })
            }
          />
        ))}
        <TextArea
          name="userMessage"
          label="Message"
          rows={2}
          required
          placeholder="How much is it?"
          hint="Nothing is sent to customers, and no credits are used."
          value={message}
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
        />
      </Form>
    </section>
  );
}

type Options = { readonly idempotencyKey?: string };
type Answered = Omit<Tested, 'question'>;

async function askAgent(
  agent: { readonly organizationId: string; readonly agentId: string },
  userMessage: string,
  tested: readonly Tested[],
  options: Options,
): Promise<Answered> {
  const { debugInfo } = await client.debug.debugConversation(
    {
      ...agent,
      userMessage,
      conversationHistory: tested.slice(-historyTurns).flatMap(({ question, answer }) => [
        { role: 'user' as const, content: question },
        { role: 'assistant' as const, content: answer },
      ]),
      debugOptions: {
        includePrompt: true,
        includeVariables: true,
        includeProcessingSteps: true,
        includePerformance: true,
      },
    },
    options,
  );

  return {
    answer: debugInfo.response,
    passages: debugInfo.passages,
    steps: debugInfo.processingSteps ?? [],
    prompt: debugInfo.processedPrompt,
    variables: debugInfo.variables ?? {},
    ms: debugInfo.performance?.totalTime ?? 0,
  };
}

/** The API accepts 50 messages, and each turn has two. */
const historyTurns = 25;

async function askTemplate(
  template: { readonly templateId: string; readonly variables: Values },
  testMessage: string,
  options: Options,
): Promise<Answered> {
  const { testResult } = await client.ai.testPromptTemplate({ ...template, testMessage }, options);

  return {
    answer: testResult.response,
    passages: [],
    steps: [],
    prompt: null,
    variables: testResult.variables,
    ms: testResult.responseTime,
  };
}

/** Explains an answer: its sources and decisions. */
function Trace({
  tested: { passages, steps, prompt, variables, ms },
}: {
  readonly tested: Tested;
}) {
  const { number, percent } = useFormats();
  const named = Object.entries(variables).filter(([, value]) => value !== '');

  return (
    <details class="trace">
      <summary>How it was made</summary>
      <div class="stack">
        <p>Took {number(Math.round(ms))} ms.</p>
        {steps.length > 0 && (
          <ol class="trace-steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        {passages.length > 0 && (
          <>
            <h3>What it knew</h3>
            <ul class="stack">
              {passages.map(({ sourceId, sourceName, text, score }) => (
                <li key={`${sourceId}${text}`}>
                  <strong>{sourceName}</strong> <span class="quiet">{percent(score)} related</span>
                  <p class="text quiet">{text}</p>
                </li>
              ))}
            </ul>
          </>
        )}
        {named.length > 0 && (
          <>
            <h3>Variables</h3>
            <dl class="pairs">
              {named.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
        {prompt !== null && (
          <>
            <h3>Instructions that the AI got</h3>
            <p class="text trace-prompt">{prompt}</p>
          </>
        )}
      </div>
    </details>
  );
}
