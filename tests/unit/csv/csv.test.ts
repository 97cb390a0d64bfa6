import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedCsv, readCsv, separatorOf } from '#lib/csv/read-csv.ts';
import { csvRow, withoutFormula } from '#lib/csv/write-csv.ts';
import { depth } from '#tests/support/depth.ts';

function read(text: string): ReadonlyArray<readonly string[]> {
  return [...readCsv(text)];
}

/** Any other failure is thrown on. */
function verdictOn(text: string): string {
  try {
    read(text);

    return 'table';
  } catch (failure) {
    if (failure instanceof MalformedCsv) {
      return 'refused';
    }
    throw failure;
  }
}

/** Cells that are made of what CSV and spreadsheets give a meaning to, and of everything else. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\t', '=', '+', '-', '@', "'", 'a') }),
  fc.string({ unit: 'grapheme' }),
);
const rows = fc
  .integer({ min: 1, max: 6 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
  );

describe('what is written', () => {
  it('has numbers that a spreadsheet can add up', () => {
    expect(csvRow([-1, 2.5, '-1'])).toBe("-1,2.5,'-1\r\n");
  });

  it('is read again as it was, but for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(rows, (table) => {
        expect(read(table.map(csvRow).join(''))).toEqual(
          table.map((cells) => cells.map(withoutFormula)),
        );
      }),
      { numRuns: depth(1_000) },
    );
  });

  it('never begins a cell with what a spreadsheet calculates', () => {
    fc.assert(
      fc.property(rows, (table) => {
        for (const written of read(table.map(csvRow).join('')).flat()) {
          expect(written).not.toMatch(/^[=+\-@\t\r]/);
        }
      }),
      { numRuns: depth(1_000) },
    );
  });

  it.each(['=1+1', '+44', '-1', '@SUM(A1)', '\tx', '\rx'])('makes %j harmless', (formula) => {
    expect(withoutFormula(formula)).toBe(`'${formula}`);
  });

  it('ends every line with CRLF, quotes what needs it and leaves out what has no value', () => {
    expect(csvRow(['a', 1, null, undefined, true, 'b,c', 'd"e', 'f\ng'])).toBe(
      'a,1,,,true,"b,c","d""e","f\ng"\r\n',
    );
  });
});

describe('what is read', () => {
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
  ])('%j is a table', (text, table) => {
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
  ])('%j is a table with the separator of its first line', (text, table) => {
    expect([...readCsv(text, separatorOf(text))]).toEqual(table);
  });

  it.each([
    ['a\n"b', 'record 2 has an unterminated quoted cell'],
    ['"a"b', 'record 1 has a quote or a carriage return in the wrong place'],
    ['a"b"', 'record 1 has a quote or a carriage return in the wrong place'],
    ['a\rb', 'record 1 has a quote or a carriage return in the wrong place'],
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(MalformedCsv);
    expect(() => read(text)).toThrow(message);
  });

  it('is a table or is refused, whatever it is', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(['table', 'refused']).toContain(verdictOn(text));
      }),
      { numRuns: depth(1_000) },
    );
  });

  it('takes time in proportion to its length, also where it is malformed', () => {
    const quotes = '"a'.repeat(500_000);

    expect(() => read(`"${'a""'.repeat(300_000)}`)).toThrow(MalformedCsv);
    expect(() => read(quotes)).toThrow(MalformedCsv);
    expect(read('a,'.repeat(500_000))[0]).toHaveLength(500_001);
  });
});
