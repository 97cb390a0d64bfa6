import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedCsvError, readCsv } from '#lib/platform/csv/read-csv.ts';
import { csvHeader, csvRow, withFormula, withoutFormula } from '#lib/platform/csv/write-csv.ts';
import { depth } from '#tests/support/depth.ts';

function read(text: string): ReadonlyArray<readonly string[]> {
  return [...readCsv(text)];
}

/** Rethrows all errors except MalformedCsvError. */
function verdictOn(text: string): string {
  try {
    read(text);

    return 'table';
  } catch (failure) {
    if (failure instanceof MalformedCsvError) {
      return 'refused';
    }
    throw failure;
  }
}

/** Cells with characters that are special in CSV or spreadsheets, and with arbitrary text. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\t', '=', '+', '-', '@', "'", 'a') }),
  fc.string({ unit: 'grapheme' }),
);
const rows = fc
  .integer({ min: 1, max: 6 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
  );

describe('csvRow', () => {
  it('writes numbers that a spreadsheet can sum', () => {
    expect(csvRow([-1, 2.5, '-1'])).toBe('-1,2.5,"\'-1"\r\n');
  });

  it('round-trips any table with the apostrophes before formulas', () => {
    fc.assert(
      fc.property(rows, (table) => {
        const names = table[0]?.map((_, index) => `c${index}`) ?? [];
        const [header, ...written] = read(`${csvHeader(names)}${table.map(csvRow).join('')}`);

        expect(header).toEqual(names);
        expect(written.map((cells) => cells.map(withFormula))).toEqual(table);
      }),
      { numRuns: depth(1_000) },
    );
  });

  it('never starts a cell with a formula character', () => {
    fc.assert(
      fc.property(rows, (table) => {
        for (const written of read(table.map(csvRow).join('')).flat()) {
          expect(written).not.toMatch(/^\uFEFF*[=+\-@\t\r\n＝＋－＠]/);
        }
      }),
      { numRuns: depth(1_000) },
    );
  });

  it('starts a file with a byte order mark', () => {
    expect(csvHeader(['a', 'b'])).toBe('\uFEFFa,b\r\n');
  });

  it.each([
    ...['=1+1', '+44', '-1', '@SUM(A1)', '\tx', '\rx', '\nx'],
    ...['＝1', '＋1', '－1', '＠1', '\uFEFF=1', "'=1", "''+1"],
  ])('prefixes the formula %j with an apostrophe', (formula) => {
    expect(withoutFormula(formula)).toBe(`'${formula}`);
  });

  it('ends rows with CRLF, quotes every text, and leaves missing values empty', () => {
    expect(csvRow(['a', 1, null, undefined, true, 'b,c', 'd"e', 'f\ng'])).toBe(
      '"a",1,,,true,"b,c","d""e","f\ng"\r\n',
    );
  });

  it('lets no other separator split a text into cells', () => {
    expect(csvRow(["x;=cmd|' /C calc'!A0"])).toBe(`"x;=cmd|' /C calc'!A0"\r\n`);
  });
});

describe('readCsv', () => {
  it.each([
    ['', []],
    ['a', [['a']]],
    ['a\n', [['a']]],
    ['a,', [['a', '']]],
    [
      '\uFEFFa,b\r\n1,2\n3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"a""b","c\r\nd"\r\n', [['a"b', 'c\r\nd']]],
    [' a , b ', [[' a ', ' b ']]],
    ['""', [['']]],
  ])('parses %j', (text, table) => {
    expect(read(text)).toEqual(table);
  });

  it.each([
    [
      'a;b\r\n"1;1";2,5',
      [
        ['a', 'b'],
        ['1;1', '2,5'],
      ],
    ],
    [
      'a\tb\n1\t2;5,3',
      [
        ['a', 'b'],
        ['1', '2;5,3'],
      ],
    ],
    [
      'a,b;c\n1,2',
      [
        ['a', 'b;c'],
        ['1', '2'],
      ],
    ],
    ['a\n1;2', [['a'], ['1;2']]],
    [
      '"last, first"|b\n1|2',
      [
        ['last, first', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '"a\n,,";b;c, d\n1;2;3',
      [
        ['a\n,,', 'b', 'c, d'],
        ['1', '2', '3'],
      ],
    ],
    [
      '\uFEFFsep=;\r\na,b;c\r\n1,2;3',
      [
        ['a,b', 'c'],
        ['1,2', '3'],
      ],
    ],
    ['SEP=\t\na,b', [['a,b']]],
    ['sep=;', []],
    ['sep=x\na', [['sep=x'], ['a']]],
    ['a\rb\r\nc', [['a'], ['b'], ['c']]],
  ])('parses %j with the separator of its header', (text, table) => {
    expect(read(text)).toEqual(table);
  });

  it.each([
    ['a\n"b', 'record 2 has an unterminated quoted cell'],
    ['"a"b', 'record 1 has a quote in the wrong place'],
    ['a"b"', 'record 1 has a quote in the wrong place'],
  ])('rejects %j', (text, message) => {
    expect(() => read(text)).toThrow(MalformedCsvError);
    expect(() => read(text)).toThrow(message);
  });

  it('parses or rejects any text', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(['table', 'refused']).toContain(verdictOn(text));
      }),
      { numRuns: depth(1_000) },
    );
  });

  it('takes linear time, also for malformed text', () => {
    const quotes = '"a'.repeat(500_000);

    expect(() => read(`"${'a""'.repeat(300_000)}`)).toThrow(MalformedCsvError);
    expect(() => read(quotes)).toThrow(MalformedCsvError);
    expect(read('a,'.repeat(500_000))[0]).toHaveLength(500_001);
  });
});
