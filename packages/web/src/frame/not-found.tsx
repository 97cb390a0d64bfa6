import { Link } from 'wouter-preact';
import { Heading } from '../ui/page.tsx';

export function NotFound() {
  return (
    <div class="page">
      <Heading>Page not found</Heading>
      <p>The address may be misspelled, or the page was removed.</p>
      <p>
        <Link href="/">Home</Link>
      </p>
    </div>
  );
}
