import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { Router } from 'wouter-preact';
import { App } from './app.tsx';
import { queries } from './frame/queries.ts';
import { SessionProvider } from './frame/session.tsx';

const root = document.getElementById('app');
if (root) {
  render(
    <QueryClientProvider client={queries}>
      <Router base="/app">
        <SessionProvider>
          <App />
        </SessionProvider>
      </Router>
    </QueryClientProvider>,
    root,
  );
}
