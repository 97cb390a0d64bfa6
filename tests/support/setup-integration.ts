import { inject } from 'vitest';

// Before a test file imports the service, whose clients are made as it loads.
Object.assign(process.env, inject('environment'));
