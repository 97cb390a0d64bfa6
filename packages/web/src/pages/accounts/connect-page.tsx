import { useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { Loaded, useGetByLink, useSend } from '../../frame/data.tsx';
import { useMembership } from '../../frame/session.tsx';
import {
  type ConnectOauthSessionResponse,
  client,
  type GetOauthSessionResponse,
} from '../../service.ts';
import { Form } from '../../ui/form.tsx';
import { networkNames } from '../../ui/networks.ts';
import { Page } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';

type Session = GetOauthSessionResponse['oauthSession'];
type Proof = { readonly finish?: string };

const backToAccounts = <Link href="/social/accounts">Back to accounts</Link>;

/** The page that the network returns to. The person chooses which pages to connect. */
export function ConnectPage() {
  const [search] = useSearchParams();
  const sessionId = search.get('session');
  const finish = search.get('finish');

  return (
    <Page title="Connect account">
      {sessionId ? (
        <Consent sessionId={sessionId} proof={finish ? { finish } : {}} />
      ) : (
        <>
          <Failure message="The sign-in at the network was used already, or took longer than 15 minutes. Nothing was connected." />
          <p>{backToAccounts}</p>
        </>
      )}
    </Page>
  );
}

function Consent({ sessionId, proof }: { readonly sessionId: string; readonly proof: Proof }) {
  const session = useGetByLink(['accounts', 'session', sessionId], (organizationId, options) =>
    client.social.getOauthSession({ organizationId, sessionId, ...proof }, options),
  );

  return (
    <Loaded of={session}>
      {({ oauthSession }) => {
        switch (oauthSession.status) {
          case 'READY':
            return <Choose session={oauthSession} proof={proof} />;
          case 'FAILED':
            return (
              <>
                <Failure message={oauthSession.error ?? 'The network did not allow access.'} />
                <p>{backToAccounts}</p>
              </>
            );
          case 'DONE':
            return <p class="notice">These accounts are connected. {backToAccounts}</p>;
          default:
            return (
              <p class="notice">
                Allow access on the page of {networkNames[oauthSession.platform]} first.{' '}
                {backToAccounts}
              </p>
            );
        }
      }}
    </Loaded>
  );
}

function Choose({ session, proof }: { readonly session: Session; readonly proof: Proof }) {
  const { id: organizationId } = useMembership();
  const [, navigate] = useLocation();
  const free = session.choices.filter(({ connected }) => connected !== 'ELSEWHERE');
  const [chosen, setChosen] = useState<readonly string[]>(
    free.length === 1 ? free.map(({ platformUserId }) => platformUserId) : [],
  );
  const [isMissing, setIsMissing] = useState(false);
  const [result, setResult] = useState<ConnectOauthSessionResponse>();
  const connecting = useSend(
    async (_: unknown, options) => {
      setIsMissing(chosen.length === 0);

      return chosen.length === 0
        ? undefined
        : client.social.connectOauthSession(
            { organizationId, sessionId: session.id, ...proof, platformUserIds: chosen },
            options,
          );
    },
    { changes: ['accounts'] },
  );
  const finish = (done: ConnectOauthSessionResponse | undefined) => {
    if (done && done.failures.length > 0) {
      setResult(done);
    } else if (done) {
      navigate('/social/accounts', { replace: true });
    }
  };
  if (result) {
    return <Partly result={result} session={session} />;
  }

  return (
    <Form sending={connecting} action="Connect" onDone={finish} aside={backToAccounts}>
      <fieldset class="choices">
        <legend>Which of these do you want to connect?</legend>
        {session.choices.map((choice) => (
          <Choice
            key={choice.platformUserId}
            choice={choice}
            isChosen={chosen.includes(choice.platformUserId)}
            onChange={(isChosen) =>
              setChosen((before) => [
                ...before.filter((id) => id !== choice.platformUserId),
                ...(isChosen ? [choice.platformUserId] : []),
              ])
            }
          />
        ))}
      </fieldset>
      {isMissing && chosen.length === 0 && <Failure message="Choose at least one." />}
    </Form>
  );
}

const kinds: Readonly<Record<Session['choices'][number]['kind'], string>> = {
  PROFILE: 'Profile',
  PAGE: 'Page',
  ORGANIZATION: 'Company page',
  CHANNEL: 'Channel',
};

function Choice({
  choice: { platformUserId, name, kind, connected },
  isChosen,
  onChange,
}: {
  readonly choice: Session['choices'][number];
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}) {
  const id = `choice-${platformUserId}`;
  const hints = {
    NONE: kinds[kind],
    HERE: `${kinds[kind]}, connected already. Its access is renewed.`,
    ELSEWHERE: `${kinds[kind]}, connected to another organization.`,
  };

  return (
    <div class="field checkbox card">
      <input
        type="checkbox"
        id={id}
        checked={isChosen}
        disabled={connected === 'ELSEWHERE'}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{name}</label>
      <p class="hint" id={`${id}-hint`}>
        {hints[connected]}
      </p>
    </div>
  );
}

/** Some accounts were connected, others were not. */
function Partly({
  result: { socialAccounts, failures },
  session,
}: {
  readonly result: ConnectOauthSessionResponse;
  readonly session: Session;
}) {
  const nameOf = (id: string) =>
    session.choices.find(({ platformUserId }) => platformUserId === id)?.name ?? id;

  return (
    <>
      <p class="notice">
        Connected: {socialAccounts.map(({ platformUserName }) => platformUserName).join(', ')}.
      </p>
      {failures.map(({ platformUserId, message }) => (
        <Failure key={platformUserId} message={`${nameOf(platformUserId)}: ${message}`} />
      ))}
      <p>{backToAccounts}</p>
    </>
  );
}
