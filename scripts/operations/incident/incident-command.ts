import { parseArgs } from 'node:util';
import {
  announceMaintenance,
  cancelMaintenance,
  type Incident,
  impacts,
  incidentStatuses,
  listIncidents,
  listMaintenance,
  openIncident,
  updateIncident,
} from '#lib/features/health/services/incidents.ts';
import { dependencies, networkNames } from '#schemas/health.ts';

type Options = Readonly<Partial<Record<keyof typeof optionTypes, string>>>;
type Command = (subject: string | undefined, options: Options) => Promise<readonly string[]>;

const services = ['api', ...dependencies, ...networkNames] as const;
const optionTypes = {
  title: { type: 'string' },
  message: { type: 'string' },
  impact: { type: 'string' },
  status: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;
const maxLength = 1_000;

export const usage = `Usage:
  npm run incident -- list
  npm run incident -- open <service> --title <text> --message <text> [--impact <impact>]
  npm run incident -- update <incident id> --status <status> --message <text>
  npm run incident -- close <incident id> --message <text>
  npm run incident -- plan --title <text> --message <text> --from <time> --to <time>
  npm run incident -- cancel <maintenance id>

  service  ${services.join(', ')}
  impact   ${impacts.join(', ')}; default: minor
  status   ${incidentStatuses.join(', ')}
  time     such as 2026-11-21T22:00:00Z`;

const commands: Readonly<Record<string, Command>> = { list, open, update, close, plan, cancel };

/**
 * Manages incidents and maintenance from the command line. All texts are public.
 *
 * @returns the lines to print.
 * @throws an error with the usage if the command line is invalid. Also throws errors from
 * `lib/features/health/services/incidents.ts`, for example if the incident does not exist or is
 * closed.
 */
export async function runIncidentCommand(
  commandLine: readonly string[],
): Promise<readonly string[]> {
  const { positionals, values } = parse(commandLine);
  const [name = '', subject, ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw usageError(name === '' ? 'A command is missing.' : `Unknown command ${name}.`);
  }
  if (rest.length > 0) {
    throw usageError(`Unexpected arguments: ${rest.join(' ')}. Put texts with spaces in quotes.`);
  }

  return command(subject, values);
}

function parse(commandLine: readonly string[]) {
  try {
    return parseArgs({ args: [...commandLine], options: optionTypes, allowPositionals: true });
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

async function list(): Promise<readonly string[]> {
  const [incidents, maintenance] = await Promise.all([listIncidents(), listMaintenance()]);
  const lines = [
    ...incidents.map(describeIncident),
    ...maintenance.map(
      ({ id, status, title, startsAt, endsAt }) =>
        `maintenance ${id}  ${status}, ${startsAt} to ${endsAt}: ${title}`,
    ),
  ];

  return lines.length > 0 ? lines : ['No incidents and no maintenance.'];
}

async function open(subject: string | undefined, options: Options): Promise<readonly string[]> {
  const incident = await openIncident({
    service: oneOf(services, 'service', subject),
    title: textOf(options, 'title'),
    message: textOf(options, 'message'),
    impact: oneOf(impacts, 'impact', options.impact ?? 'minor'),
    // Prevents probes from closing it.
    isAutomatic: false,
  });

  return [describeIncident(incident)];
}

async function update(subject: string | undefined, options: Options): Promise<readonly string[]> {
  const id = idOf('incident', subject);
  const status = oneOf(incidentStatuses, 'status', options.status);

  return [describeIncident(await updateIncident(id, status, textOf(options, 'message')))];
}

async function close(subject: string | undefined, options: Options): Promise<readonly string[]> {
  return update(subject, { ...options, status: 'resolved' });
}

async function plan(_: string | undefined, options: Options): Promise<readonly string[]> {
  const startsAt = timeOf(options, 'from');
  const endsAt = timeOf(options, 'to');
  if (endsAt <= startsAt) {
    throw usageError('--to must be later than --from.');
  }
  const about = { title: textOf(options, 'title'), message: textOf(options, 'message') };
  const { id } = await announceMaintenance({ ...about, startsAt, endsAt });

  return [`maintenance ${id}  ${startsAt} to ${endsAt}: ${about.title}`];
}

async function cancel(subject: string | undefined): Promise<readonly string[]> {
  const id = idOf('maintenance', subject);
  await cancelMaintenance(id);

  return [`maintenance ${id}  canceled`];
}

function describeIncident({ id, service, status, impact, title, startedAt }: Incident): string {
  return `incident ${id}  ${service}, ${impact}, ${status}, since ${startedAt}: ${title}`;
}

function oneOf<Value extends string>(
  values: readonly Value[],
  name: string,
  given: string | undefined,
): Value {
  const found = values.find((value) => value === given);
  if (!found) {
    throw usageError(given ? `Unknown ${name} ${given}.` : `The ${name} is missing.`);
  }

  return found;
}

function textOf(options: Options, name: 'title' | 'message'): string {
  const text = options[name]?.trim() ?? '';
  if (text === '' || text.length > maxLength) {
    throw usageError(`--${name} must have 1 to ${maxLength} characters.`);
  }

  return text;
}

function timeOf(options: Options, name: 'from' | 'to'): string {
  const time = options[name] ?? '';
  // Without a time zone, this machine's time zone would apply.
  if (!/T.*(?:Z|[+-]\d\d:\d\d)$/.test(time) || Number.isNaN(Date.parse(time))) {
    throw usageError(`--${name} must be a time with a time zone, such as 2026-11-21T22:00:00Z.`);
  }

  return new Date(time).toISOString();
}

function idOf(kind: string, subject: string | undefined): string {
  if (!subject) {
    throw usageError(`The id of the ${kind} is missing.`);
  }

  return subject;
}

function usageError(problem: string): Error {
  return new Error(`${problem}\n\n${usage}`);
}
