/** A process that owns a database, for the test that ends it: prints the port and then waits. */
import { startDynamoDbLocal } from '#scripts/dev/stack/dynamodb-local.ts';

const database = await startDynamoDbLocal({ port: 0 });
process.stdout.write(`${database.port}\n`);
