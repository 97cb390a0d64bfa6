import { localEnvironment } from './local-environment.ts';
import { portSetting, readSettings } from './settings.ts';

/**
 * Has a program work on the running local stack, unless TABLE_NAME stands in the shell: then the
 * shell says where everything is, and AWS is meant where no endpoint is named. To be called before
 * anything is loaded that calls the table, as clients are made from what the environment says then.
 */
export function useLocalStackByDefault(): void {
  if (process.env.TABLE_NAME) {
    return;
  }
  const settings = readSettings();
  const at = (port: string) => `http://localhost:${portSetting(settings, port)}`;
  const addresses = {
    api: at('PORT'),
    dynamodb: at('DYNAMODB_PORT'),
    aws: at('AWS_PORT'),
    sandbox: at('SANDBOX_PORT'),
  };
  Object.assign(process.env, localEnvironment(addresses, settings));
}
