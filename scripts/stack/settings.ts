import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Variables by name; an empty value counts as none. */
export type Settings = Readonly<Record<string, string | undefined>>;

const root = new URL('../../', import.meta.url);

/** What holds where nothing else is said. It is the same file that people read. */
export function defaultSettings(): Settings {
  return parse(readExample());
}

/** The names of all variables that `.env.example` explains, those without a default included. */
export function settingNames(): readonly string[] {
  return [...readExample().matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
}

/** The shell before `.env`, and `.env` before the defaults. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const file = new URL('.env', root);
  const fromFile = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {};
  const fromShell = Object.fromEntries(settingNames().map((name) => [name, environment[name]]));

  return { ...defaultSettings(), ...fromFile, ...withoutEmpty(fromShell) };
}

/** The port that a variable names; 0 lets the operating system choose. */
export function portSetting(settings: Settings, name: string): number {
  const value = settings[name] ?? '';
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new Error(`${name} must be a port between 0 and 65535, not "${value}".`);
  }

  return port;
}

function readExample(): string {
  return readFileSync(new URL('.env.example', root), 'utf8');
}

function parse(text: string): Settings {
  return withoutEmpty(parseEnv(text));
}

function withoutEmpty(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value));
}
