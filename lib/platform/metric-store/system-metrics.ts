import { readFile, statfs } from 'node:fs/promises';
import os from 'node:os';

/** Metrics of this instance's operating system. Null if a metric is not available. */
export type SystemMetrics = {
  readonly cpu: {
    readonly usage: number | null;
    readonly load: readonly number[];
    readonly cores: number;
  };
  readonly memory: Space & { readonly swap: { readonly used: Size; readonly total: Size } };
  readonly disk: Space & { readonly io: { readonly read: Size; readonly write: Size } };
  readonly network: Readonly<Record<'bytesIn' | 'bytesOut' | 'packetsIn' | 'packetsOut', Size>>;
};

type Size = number | null;
type Space = { readonly used: Size; readonly total: Size; readonly percentage: Size };

const sectorBytes = 512;
const writableFolder = '/tmp';

type Ticks = { readonly busy: number; readonly all: number };

function ticksOf(): Ticks {
  const times = os.cpus().map((cpu) => cpu.times);
  const all = times.reduce(
    (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
    0,
  );
  const idle = times.reduce((sum, time) => sum + time.idle, 0);

  return { busy: all - idle, all };
}

let lastTicks: Ticks = { busy: 0, all: 0 };

/** Returns CPU usage in percent since the last call, or since boot. */
function cpuUsage(): number | null {
  const ticks = ticksOf();
  const passed = ticks.all - lastTicks.all;
  const usage = passed > 0 ? (100 * (ticks.busy - lastTicks.busy)) / passed : null;
  lastTicks = ticks;

  return usage === null ? null : rounded(usage);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function space(used: Size, total: Size): Space {
  const percentage = used === null || !total ? null : rounded((100 * used) / total);

  return { used, total, percentage };
}

/** Reads a kernel file; empty if it does not exist. */
async function kernelFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function readDisk(): Promise<Space> {
  const stats = await statfs(writableFolder).catch(() => undefined);
  if (!stats) {
    return space(null, null);
  }
  const total = stats.blocks * stats.bsize;

  return space(total - stats.bavail * stats.bsize, total);
}

function swapOf(memoryInfo: string) {
  const bytes = (name: string): Size => {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(memoryInfo)?.[1];

    return found === undefined ? null : Number(found) * 1_024;
  };
  const [total, free] = [bytes('SwapTotal'), bytes('SwapFree')];

  return { used: total === null || free === null ? null : total - free, total };
}

/** Counts whole disks only, because partitions are included in their disk. */
function diskIoOf(diskStats: string) {
  const disks = diskStats
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , name = '']) => /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme\d+n\d+)$/.test(name));
  const sum = (column: number): Size =>
    disks.length === 0
      ? null
      : disks.reduce((total, fields) => total + Number(fields[column]) * sectorBytes, 0);

  return { read: sum(5), write: sum(9) };
}

function networkOf(deviceStats: string) {
  const devices = [...deviceStats.matchAll(/^\s*(\S+):(.+)$/gm)]
    .filter(([, name]) => name !== 'lo')
    .map(([, , counters = '']) => counters.trim().split(/\s+/).map(Number));
  const sum = (column: number): Size =>
    devices.length === 0
      ? null
      : devices.reduce((total, counters) => total + (counters[column] ?? 0), 0);

  return { bytesIn: sum(0), packetsIn: sum(1), bytesOut: sum(8), packetsOut: sum(9) };
}

/** Reads the system's metrics. Disk and network counters start at boot. */
export async function readSystemMetrics(): Promise<SystemMetrics> {
  const [disk, memoryInfo, diskStats, deviceStats] = await Promise.all([
    readDisk(),
    kernelFile('/proc/meminfo'),
    kernelFile('/proc/diskstats'),
    kernelFile('/proc/net/dev'),
  ]);
  const total = os.totalmem();

  return {
    cpu: { usage: cpuUsage(), load: os.loadavg().map(rounded), cores: os.cpus().length },
    memory: { ...space(total - os.freemem(), total), swap: swapOf(memoryInfo) },
    disk: { ...disk, io: diskIoOf(diskStats) },
    network: networkOf(deviceStats),
  };
}
