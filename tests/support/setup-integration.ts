import { afterAll, inject } from 'vitest';
import { beginFile } from './begin-file.ts';
import { startOwnServices } from './own-services.ts';

// Before a test file imports the service, whose clients are made as it loads.
beginFile(inject('environment'));
const services = await startOwnServices();
Object.assign(process.env, services.environment);

afterAll(services.close);
