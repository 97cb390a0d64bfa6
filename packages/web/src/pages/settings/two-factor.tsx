import { useEffect, useState } from 'preact/hooks';
import { useSend } from '../../frame/data.tsx';
import { useSession, useUser } from '../../frame/session.tsx';
import { client, type SetUpTwoFactorResponse } from '../../service.ts';
import { Field, Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { Failed } from '../../ui/states.tsx';

/** Turns two-factor authentication on and off. */
export function TwoFactor() {
  const { twoFactorEnabled, authProvider } = useUser();
  const { refresh } = useSession();
  const [setup, setSetup] = useState<SetUpTwoFactorResponse>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const starting = useSend((_: undefined, options) => client.auth.setUpTwoFactor({}, options));
  const start = async () => setSetup(await starting.send());
  if (authProvider === 'GOOGLE' && !twoFactorEnabled) {
    return (
      <Section title="Two-factor authentication">
        <p>Your Google account protects your sign-in. Turn on two-step verification there.</p>
      </Section>
    );
  }

  return (
    <Section
      title="Two-factor authentication"
      about="Signing in then also takes a code from an app on your phone."
    >
      {recoveryCodes && (
        <RecoveryCodes codes={recoveryCodes} onDone={() => setRecoveryCodes(undefined)} />
      )}
      {twoFactorEnabled ? (
        <TurnOff />
      ) : setup ? (
        <Enable
          setup={setup}
          onDone={async (codes) => {
            setRecoveryCodes(codes);
            setSetup(undefined);
            await refresh();
          }}
        />
      ) : (
        <div class="actions">
          <button
            type="button"
            class="button"
            aria-disabled={starting.isSending}
            onClick={() => starting.isSending || void start().catch(() => undefined)}
          >
            Set up two-factor
          </button>
          <Failed of={starting} onRetry={start} />
        </div>
      )}
    </Section>
  );
}

function Enable({
  setup: { secret, otpauthUrl, qrSvg },
  onDone,
}: {
  readonly setup: SetUpTwoFactorResponse;
  readonly onDone: (recoveryCodes: readonly string[]) => unknown;
}) {
  const enabling = useSend(({ code = '' }: Values, options) =>
    client.auth.enableTwoFactor({ code: code.trim() }, options),
  );

  return (
    <>
      <div class="two-factor">
        <QrCode svg={qrSvg} />
        <p>
          Scan this code with your authenticator app, or{' '}
          <a href={otpauthUrl}>open the app on this device</a>. By hand: <code>{secret}</code>
        </p>
      </div>
      <Form
        sending={enabling}
        action="Turn on two-factor"
        onDone={({ recoveryCodes }) => onDone(recoveryCodes)}
      >
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          inputmode="numeric"
          hint="The six digits that the app shows."
          required
        />
      </Form>
    </>
  );
}

/**
 * The content security policy allows no data images, so the SVG of the service is rendered as
 * elements.
 */
function QrCode({ svg }: { readonly svg: string }) {
  const [drawing, setDrawing] = useState<{ viewBox: string; path: string }>();
  useEffect(() => {
    const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
    const path = documentElement.querySelector('path:last-of-type')?.getAttribute('d') ?? '';
    setDrawing({ viewBox: documentElement.getAttribute('viewBox') ?? '', path });
  }, [svg]);

  return (
    <svg
      class="qr-code"
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={drawing?.viewBox}
    >
      <path d={drawing?.path} />
    </svg>
  );
}

function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}) {
  return (
    <div class="card stack">
      <p>
        Two-factor authentication is on. Store these recovery codes in a safe place: each works once
        if you lose your phone, and they are not shown again.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="button" onClick={onDone}>
          Done
        </button>
      </div>
    </div>
  );
}

function TurnOff() {
  const { refresh } = useSession();
  const turningOff = useSend(({ password = '', code = '' }: Values, options) =>
    client.auth.disableTwoFactor({ password, code: code.trim() }, options),
  );

  return (
    <Form sending={turningOff} action="Turn off two-factor" onDone={refresh}>
      <div class="columns">
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          hint="From the app, or a recovery code."
          required
        />
      </div>
    </Form>
  );
}
