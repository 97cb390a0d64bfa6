import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** Variables by name. An empty value counts as unset. */
export type Settings = Readonly<Record<string, string | undefined>>;

const assignment = /^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/gm;
const keyBytes = 32;
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The defaults, read from the same file that documents them. */
export function defaultSettings(): Settings {
  return parse(readExample());
}

/** The names of all variables in `.env.example`, including those without a default. */
export function settingNames(): readonly string[] {
  return [...readExample().matchAll(assignment)].map(([, name = '']) => name);
}

/** The shell overrides `.env`, which overrides the defaults. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const settings = {
    ...defaultSettings(),
    ...known(readFileOfSettings(environment.ENV_FILE)),
    ...known(environment),
  };
  requireComplete(settings);
  requireWellFormed(settings);

  return settings;
}

/** The port in a variable. 0 lets the operating system choose one. */
export function portSetting(settings: Settings, name: string): number {
  const value = settings[name] ?? '';
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new Error(`${name} must be a port between 0 and 65535, not "${value}".`);
  }

  return port;
}

/** True if the endpoint is AWS itself and not an emulator. */
export function isAwsItself(endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).hostname.endsWith('.amazonaws.com');
}

/** Some variables only make sense together. */
function requireComplete(settings: Settings): void {
  const pairs = [
    ['STRIPE_API_BASE', 'STRIPE_SECRET_KEY'],
    ['SQS_ENDPOINT', 'QUEUE_URL_PREFIX'],
  ] as const;
  for (const [name, needed] of pairs) {
    if (settings[name] && !settings[needed]) {
      throw new Error(`${name} is set but ${needed} is missing. Set both (see .env.example).`);
    }
  }
}

/**
 * Checks values at startup instead of on the first request. The example value determines the
 * expected format.
 */
function requireWellFormed(settings: Settings): void {
  const ports = new Set(settingNames().filter((name) => name.endsWith('PORT')));
  for (const [, name = '', sample = ''] of readExample().matchAll(assignment)) {
    const value = settings[name];
    if (!value || ports.has(name)) {
      continue;
    }
    if (/^\d+$/.test(sample) && !/^\d+$/.test(value)) {
      throw new Error(`${name} must be an integer, not "${value}".`);
    }
    if (/^https?:/.test(sample) && !value.split(',').every((one) => isWebAddress(one.trim()))) {
      throw new Error(`${name} must be a URL such as ${sample}, not "${value}".`);
    }
  }
  requireKey('JWT_SECRET', settings, (bytes) => bytes >= keyBytes, `at least ${keyBytes}`);
  requireKey('ENCRYPTION_KEY', settings, (bytes) => bytes === keyBytes, `${keyBytes}`);
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value);
}

function requireKey(
  name: string,
  settings: Settings,
  isRight: (bytes: number) => boolean,
  wanted: string,
): void {
  const value = settings[name];
  if (value && !isRight(Buffer.from(value, 'base64').length)) {
    throw new Error(`${name} must be base64 of ${wanted} bytes.`);
  }
}

function readFileOfSettings(name: string | undefined): Settings {
  const path = resolve(root, name || '.env');
  if (existsSync(path)) {
    return parse(readFileSync(path, 'utf8'));
  }
  if (name) {
    throw new Error(`ENV_FILE names ${path}, which does not exist.`);
  }

  return {};
}

function readExample(): string {
  return readFileSync(resolve(root, '.env.example'), 'utf8');
}

function parse(text: string): Settings {
  return withoutEmpty(parseEnv(text));
}

function known(settings: Settings): Settings {
  return withoutEmpty(Object.fromEntries(settingNames().map((name) => [name, settings[name]])));
}

function withoutEmpty(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value));
}
