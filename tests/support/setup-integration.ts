import { afterAll, inject } from 'vitest';
import { startOwnServices } from './own-services.ts';

// Before a test file imports the service, whose clients are made as it loads.
Object.assign(process.env, inject('environment'));
const services = await startOwnServices();
Object.assign(process.env, services.environment);

afterAll(services.close);
