import { Ellipsis } from 'lucide-preact';
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { areas } from './areas.ts';
import { useCan } from './session.tsx';

/** In small windows, the bar has room for this many areas, and for `More`. */
const inBar = 4;

export function Navigation() {
  const can = useCan();
  const [location] = useLocation();
  const { navigation, isOpen, toggle } = useMore(location);
  const shown = areas.filter(({ role = 'VIEWER' }) => can(role));

  return (
    <nav ref={navigation} class={`navigation ${isOpen ? 'open' : ''}`} aria-label="Main">
      {shown.map(({ name, href, icon: Icon, paths }, index) => (
        <Fragment key={name}>
          {index === inBar && (
            <button type="button" class="more" aria-expanded={isOpen} onClick={toggle}>
              <Ellipsis aria-hidden="true" />
              <span>More</span>
            </button>
          )}
          <Link href={href} aria-current={isBelow(location, paths) ? 'page' : undefined}>
            <Icon aria-hidden="true" />
            <span>{name}</span>
          </Link>
        </Fragment>
      ))}
    </nav>
  );
}

/** Closes the `More` menu on Escape, on a press outside, and when the page changes. */
function useMore(location: string) {
  const navigation = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    setIsOpen(false);
    // Focusing a link has scrolled the bar to the links below it.
    navigation.current?.scrollTo(0, 0);
  }, [location]);
  useEffect(() => {
    if (!isOpen) {
      return;
    }
    const ending = new AbortController();
    const { signal } = ending;
    addEventListener('keydown', ({ key }) => key === 'Escape' && setIsOpen(false), { signal });
    addEventListener(
      'pointerdown',
      ({ target }) => navigation.current?.contains(target as Node) || setIsOpen(false),
      { signal },
    );

    return () => ending.abort();
  }, [isOpen]);

  return { navigation, isOpen, toggle: () => setIsOpen(!isOpen) };
}

/** True for the address of an area, and for those below its first segment. */
function isBelow(location: string, paths: readonly string[]): boolean {
  const first = (path: string) => path.split('/')[1];

  return paths.some((path) => first(path) === first(location));
}
