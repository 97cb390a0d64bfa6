/** A process that owns a database: it prints the port and waits until the test kills it. */
import { startDynamoDbLocal } from '#scripts/dev/stack/dynamodb-local.ts';

const database = await startDynamoDbLocal({ port: 0 });
process.stdout.write(`${database.port}\n`);
