import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { planCredit } from '#lib/features/billing/ledger/ledger.ts';
import { dayMs } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { idOfEvent } from '#lib/platform/ids.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { saveFile } from '#lib/platform/storage/files.ts';
import { createUsageReport } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { buy } from '#tests/support/billing.ts';
import { depth } from '#tests/support/depth.ts';
import { startLongLedger } from '#tests/support/long-ledger.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storeItems } from '#tests/support/table.ts';
import bundling from '../../../esbuild.config.ts';

liftRateLimits();
const bundles = await mkdtemp(join(tmpdir(), 'report-'));

afterAll(() => rm(bundles, { recursive: true }));

const today = new Date().toISOString().slice(0, 10);

function report({ token }: Account, body: object = {}) {
  return call(createUsageReport, {
    token,
    body: { startDate: today, endDate: today, ...body },
  });
}

async function addEntry({ organizationId }: Account, description: string, at = Date.now()) {
  const id = idOfEvent(randomUUID(), at);
  await write(...planCredit(organizationId, { id, type: 'adjustment', credits: 5, description }));
}

describe('a usage report', () => {
  it('is a CSV file of every movement, with a link valid for an hour', async () => {
    const owner = await newAccount();
    const purchase = await buy(owner, 25);
    await addEntry(owner, 'long before', Date.now() - 3 * dayMs);

    const answer = await report(owner);

    expect(answer.status).toBe(200);
    const hourMs = Date.parse(answer.body.expiresAt) - Date.now();
    expect(Math.abs(hourMs - 3_600_000)).toBeLessThan(60_000);
    const file = await fetch(answer.body.reportUrl);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="usage-${today}-${today}.csv"`,
    );
    const lines = Buffer.from(await file.arrayBuffer())
      .toString()
      .split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFdate,type,description,credits,amount,currency,paymentMethod,reference,id',
    );
    expect(lines[1]).toMatch(
      new RegExp(
        `^"${today}T[^,]+","credit_purchase","Purchase of 2500 credits",2500,25,"USD","visa 4242","pi_\\w+","${purchase.body.transaction.id}"$`,
      ),
    );
    expect(lines[2]).toMatch(/,"welcome_credit","Welcome credits",100,0,"USD",,,/);
    expect(lines.slice(3)).toEqual(['']);
    expect(answer.body.reportUrl).toMatch(/X-Amz-Expires=3600&/);
  });

  it('is a JSON file with totals', async () => {
    const owner = await newAccount();
    await addEntry(owner, 'two days ago', Date.now() - 2 * dayMs);
    const startDate = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10);

    const { body } = await report(owner, { startDate, format: 'json' });

    const file = (await (await fetch(body.reportUrl)).json()) as {
      readonly entries: readonly object[];
    };
    expect(file).toMatchObject({
      startDate,
      endDate: today,
      entries: [{ type: 'welcome_credit', credits: 100 }, { description: 'two days ago' }],
      totals: { entries: 2, creditsAdded: 105, creditsUsed: 0, amount: 0 },
    });
  });

  it('contains no spreadsheet formulas', async () => {
    const owner = await newAccount();
    for (const start of ['=', '+', '-', '@', '\t', '\r']) {
      await addEntry(owner, `${start}cmd|' /C calc'!A0`);
    }

    const { body } = await report(owner);

    const csv = await (await fetch(body.reportUrl)).text();
    expect(csv.match(/,"?'[=+\-@\t\r]cmd/g)).toHaveLength(6);
    expect(csv).not.toMatch(/,"?[=+@\t\r]/);
  });

  it.each([
    [{ startDate: '2026-02-02', endDate: '2026-02-01' }, /^startDate must not be after endDate$/],
    [{ startDate: '2025-01-01', endDate: '2026-01-02' }, /^endDate must be at most 366 days/],
    [{ startDate: 'soon' }, /^startDate /],
    [{ endDate: '2026-02-30' }, /^endDate /],
    [{ format: 'pdf' }, /^format must be one of the following values: csv, json$/],
  ])('returns 400 for %j', async (body, message) => {
    const answer = await report(await newAccount(), body);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(message)]);
  });

  it('may cover up to 366 days', async () => {
    const body = { startDate: '2028-01-01', endDate: '2028-12-31', format: 'json' };

    expect((await report(await newAccount(), body)).status).toBe(200);
  });

  it('contains every entry once across several table pages', async () => {
    const owner = await newAccount();
    const count = depth(1_500);
    const begin = Date.UTC(2026, 0, 1);
    await storeItems(
      Array.from({ length: count }, (_, index) => {
        const id = idOfEvent(`reply ${index}`, begin + index * 1_000);
        const entry = { id, type: 'usage', credits: -1, description: 'Automatic reply' };

        return { ...keys.ledgerEntry(owner.organizationId, 'usage', id), ...entry };
      }),
    );

    const { body } = await report(owner, { startDate: '2026-01-01', endDate: '2026-01-31' });

    const lines = (await (await fetch(body.reportUrl)).text()).split('\r\n');
    expect(lines).toHaveLength(count + 2);
    expect(new Set(lines).size).toBe(count + 2);
    expect(lines.slice(1, -1)).toEqual(lines.slice(1, -1).toSorted().toReversed());
  });

  it('keeps characters intact that span two parts', async () => {
    const name = { contentType: 'text/plain; charset=utf-8', downloadName: 'letters.txt' };
    const file = { ...name, key: `reports/${randomUUID()}.txt` };
    const text = `${'x'.repeat(5 * 1024 * 1024 + 3)}€𝄞${'ü'.repeat(9)}`;

    await saveFile(file, Readable.from([text, text]));

    expect(await (await fetch(await linkTo(file, 60))).text()).toBe(text + text);
  });

  it.each(['csv', 'json'])('fits into 256 MB of memory at any length, as %s', async (format) => {
    const count = depth(100_000);
    const ledger = await startLongLedger(count);
    const script = await bundleReport();
    // Lambda uses 12 and 231 for a 256 MB function. With the smaller heap, the test fails if
    // anything is buffered.
    const options = ['--max-semi-space-size=12', '--max-old-space-size=64'];

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...options, script, randomUUID(), '2026-01-01', '2026-12-31', format],
      {
        env: {
          ...process.env,
          DYNAMODB_ENDPOINT: ledger.endpoint,
          AWS_SESSION_TOKEN: 'local',
        },
      },
    );

    await ledger.close();
    const { reportUrl, maxRssMb } = JSON.parse(stdout);
    expect(maxRssMb).toBeLessThan(200);
    expect(await linesOf(reportUrl)).toBeGreaterThan(count);
  });
});

/** Bundles the report as in a deployment, because compiling the sources would need memory too. */
async function bundleReport(): Promise<string> {
  const { pathname } = new URL('../../support/report-process.ts', import.meta.url);
  await build({ ...bundling, entryPoints: [pathname], outdir: bundles });

  return join(bundles, 'report-process.mjs');
}

/** Counts lines while streaming, because a large file does not fit into a string. */
async function linesOf(url: string): Promise<number> {
  const { body } = await fetch(url);
  let lines = 0;
  for await (const chunk of body ?? []) {
    lines += chunk.reduce((found: number, byte: number) => found + Number(byte === 10), 0);
  }

  return lines;
}
