import { useEffect, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';

/** Links between the pages of an area, by their paths. */
export function Tabs({
  label,
  names,
}: {
  readonly label: string;
  readonly names: ReadonlyArray<readonly [path: string, name: string]>;
}) {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Phones show only some of the tabs.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [location]);

  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {names.map(([path, name]) => (
        <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
