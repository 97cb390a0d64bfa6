import { Plus } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';
import { useCan } from '../../frame/session.tsx';
import { UploadButton } from './uploads.tsx';

/** The tabs of the area, and buttons for members. */
export function ContentHead() {
  const can = useCan();
  const [location, navigate] = useLocation();
  const views = { '/content': 'Calendar', '/content/media': 'Media' };

  return (
    <>
      <nav class="segments" aria-label="Content">
        {Object.entries(views).map(([href, name]) => (
          <Link
            key={href}
            href={href}
            class="button"
            aria-current={href === location ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {can('MEMBER') && (
        <>
          <UploadButton />
          <button type="button" class="button primary" onClick={() => navigate('/content/new')}>
            <Plus aria-hidden="true" />
            New post
          </button>
        </>
      )}
    </>
  );
}
