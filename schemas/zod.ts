import { config } from 'zod';

export * from 'zod';

// Disables zod's JIT compilation: it pays off only after hundreds of requests and slows down every
// cold start. A schema keeps the setting it was created with.
config({ jitless: true });
