import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSend } from '../../frame/data.tsx';
import { useSession } from '../../frame/session.tsx';
import { client } from '../../service.ts';
import { Failure, Loading } from '../../ui/states.tsx';
import { Door, tokenInAddress } from './door.tsx';

export function Area() {
  const { user, refresh } = useSession();
  const [token] = useState(tokenInAddress);
  const [isVerified, setIsVerified] = useState(false);
  const verifying = useSend(async (_: undefined, options) => {
    await client.auth.verifyEmail({ token }, options);
    setIsVerified(true);
    if (user) {
      await refresh();
    }
  });
  const verify = () => verifying.send().catch(() => undefined);
  useEffect(() => {
    void verify();
  }, []);
  if (isVerified) {
    return (
      <Door title="Email verified">
        <p class="links">
          <Link href="/">Continue</Link>
        </p>
      </Door>
    );
  }

  return (
    <Door title="Verify your email">
      {verifying.error ? (
        <>
          <Failure error={verifying.error} onRetry={verify} />
          <p class="links">
            <Link href="/settings/security">Send a new link</Link>
          </p>
        </>
      ) : (
        <Loading />
      )}
    </Door>
  );
}
