import { Dialog } from '../../ui/dialog.tsx';
import { networkNames, networks } from '../../ui/networks.ts';
import { Failed } from '../../ui/states.tsx';
import { useAuthorize } from './authorize.ts';

export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const authorizing = useAuthorize();

  return (
    <Dialog title="Connect account" onClose={onClose}>
      <p>Choose a network. You sign in there, and then choose which pages to connect.</p>
      <div class="network-buttons">
        {networks.map((platform) => (
          <button
            key={platform}
            type="button"
            class="button"
            aria-disabled={authorizing.isSending}
            onClick={() =>
              authorizing.isSending || authorizing.send({ platform }).catch(() => undefined)
            }
          >
            {networkNames[platform]}
          </button>
        ))}
      </div>
      <Failed of={authorizing} />
    </Dialog>
  );
}
