import { localEnvironment } from './local-environment.ts';
import { portSetting, readSettings } from './settings.ts';

/**
 * Configures a program for the running local stack, unless the shell sets TABLE_NAME. Then the
 * shell's endpoints apply, and AWS is the default. Call this before loading any module that creates
 * AWS clients, because they read the environment when they are created.
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
    websocket: at('WEBSOCKET_PORT').replace('http', 'ws'),
  };
  Object.assign(process.env, localEnvironment(addresses, settings));
}
