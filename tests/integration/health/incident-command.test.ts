import { describe, expect, it } from 'vitest';
import {
  listIncidents,
  listMaintenance,
  listOpenIncidents,
} from '#lib/features/health/services/incidents.ts';
import { runIncidentCommand, usage } from '#scripts/operations/incident/incident-command.ts';

const run = (...commandLine: readonly string[]) => runIncidentCommand(commandLine);

/** Returns the id from a line such as `incident <id>  payment, minor, …`. */
const idIn = (lines: readonly string[]) => lines[0]?.split(' ')[1] ?? '';

describe('npm run incident', () => {
  it('opens an incident that no probe closes, posts updates, and closes it', async () => {
    const about = ['--title', 'Cards are refused', '--message', 'We look into it'];
    const opened = await run('open', 'api', ...about, '--impact', 'major');
    const id = idIn(opened);

    expect(opened).toEqual([expect.stringContaining('api, major, investigating')]);
    await expect(run('open', 'api', ...about)).rejects.toThrow('api already has an open incident');
    expect(await listOpenIncidents()).toContainEqual(
      expect.objectContaining({ service: 'api', incidentId: id, isAutomatic: false }),
    );

    await run('update', id, '--status', 'identified', '--message', 'A bank is down');
    await run('close', id, '--message', 'It is back');

    expect((await listIncidents()).find((incident) => incident.id === id)).toMatchObject({
      status: 'resolved',
      updates: [
        { status: 'investigating', message: 'We look into it' },
        { status: 'identified', message: 'A bank is down' },
        { status: 'resolved', message: 'It is back' },
      ],
    });
    expect((await run('list')).join('\n')).toContain(`incident ${id}  api, major, resolved`);
    await expect(run('close', id, '--message', 'Again')).rejects.toThrow('The incident is closed');
  });

  it('schedules maintenance and cancels it', async () => {
    const times = ['--from', '2099-01-01T02:00:00+02:00', '--to', '2099-01-01T03:00:00Z'];
    const planned = await run('plan', '--title', 'A new table', '--message', 'Soon', ...times);
    const id = idIn(planned);

    expect(await listMaintenance()).toContainEqual(
      expect.objectContaining({ id, status: 'scheduled', startsAt: '2099-01-01T00:00:00.000Z' }),
    );

    await run('cancel', id);

    expect((await listMaintenance()).map((one) => one.id)).not.toContain(id);
    await expect(run('cancel', id)).rejects.toThrow('Maintenance not found');
  });

  it.each([
    ['no command', [], 'A command is missing'],
    ['an unknown command', ['toString'], 'Unknown command toString'],
    ['an unknown option', ['list', '--all'], "Unknown option '--all'"],
    ['an unknown service', ['open', 'coffee'], 'Unknown service coffee'],
    ['a text without quotes', ['open', 'api', 'is', 'down'], 'Unexpected arguments: is down.'],
    ['no title', ['open', 'api', '--message', 'm'], '--title must have'],
    ['no id', ['close', '--message', 'm'], 'The id of the incident is missing'],
    ['an unknown status', ['update', 'i', '--status', 'fine'], 'Unknown status fine'],
    ['a time without its zone', ['plan', '--from', '2099-01-01T00:00:00'], '--from must be a time'],
    [
      'a time without a time zone',
      ['plan', '--from', '2099-01-01T00:00:00'],
      '--from must be a time',
    ],
    [
      'an end before the start',
      ['plan', '--from', '2099-01-02T00:00:00Z', '--to', '2099-01-01T00:00:00Z'],
      '--to must be later',
    ],
  ])('explains the problem and shows the usage for %s', async (_, commandLine, problem) => {
    const failure = await run(...commandLine).catch(({ message }: Error) => message);

    expect(failure).toContain(problem);
    expect(failure).toContain(usage);
  });
});
