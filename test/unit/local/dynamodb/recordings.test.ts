import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AwsError } from '../../../../local/aws/error.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { createDynamoDb, type DynamoDb } from '../../../../local/dynamodb/dynamodb.ts';
import {
  addNumbers,
  compareNumbers,
  encodeNumber,
  normalizeNumber,
  subtractNumbers,
} from '../../../../local/dynamodb/number.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import fc from '../../../support/properties.ts';
import { areas } from './areas.ts';
import { fillPlaceholders, lengthen, type RecordedCase, type Recording, shorten } from './case.ts';
import { comparable } from './comparable.ts';
import { getExpected, unneededDifferences } from './differences.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const environment = {
  stackName: 'test',
  region: 'ddblocal',
  accountId: '000000000000',
  publicUrl: 'http://localhost:3000',
  awsUrl: 'http://localhost:3001',
};
const quiet = { info() {}, warn() {}, error() {} };

let folder: string;
let storage: Storage;
let dynamoDb: DynamoDb;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dynamodb-'));
  storage = new Storage(folder);
  storage.exec('PRAGMA synchronous = OFF');
  dynamoDb = createDynamoDb({ storage, clock: new Clock(), environment, log: quiet });
});

afterAll(() => {
  storage.close();
  rmSync(folder, { recursive: true });
});

const recordings = Object.entries(areas).map(([area, written]) => ({
  area,
  written,
  ...(JSON.parse(readFileSync(join(here, 'recordings', `${area}.json`), 'utf8'), lengthen) as Recording),
}));

describe('the list of differences from DynamoDB Local', () => {
  it('contains no unused difference', () => {
    const calls = recordings.flatMap(({ cases }) =>
      cases.flatMap(({ name, calls: all }) => all.map((one) => [name, one] as const)),
    );
    expect(unneededDifferences(calls)).toEqual([]);
  });
});

for (const { area, written, setups, cases } of recordings) {
  describe(`dynamodb, as DynamoDB Local answers: ${area}`, () => {
    it('has a current recording of each case', () => {
      const recorded = cases.map(({ name, setup, calls }) => ({
        name,
        setup: setups[setup],
        calls: calls.map(({ output: _output, error: _error, ...call }) => call),
      }));
      expect(JSON.stringify(recorded, shorten)).toBe(JSON.stringify(written, shorten));
    });

    it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
      await dropTables();
      for (const { operation, input } of setups[one.setup]!) await call(operation, input);
      await compareCalls(one);
    });
  });
}

async function compareCalls({ name, calls }: RecordedCase): Promise<void> {
  const answered: { output?: unknown }[] = [];
  for (const recorded of calls) {
    const actual = await attempt(recorded.operation, fillPlaceholders(recorded.input, answered));
    answered.push(actual);
    const expected = getExpected(name, recorded);
    const { message, ...error } = expected.error ?? { message: undefined };
    const shown = JSON.stringify({ operation: recorded.operation, input: recorded.input }, shorten).slice(0, 600);
    const { message: actualMessage, ...actualError } = actual.error ?? { message: undefined };
    expect({ shown, ...comparable({ output: actual.output, error: actualError }, recorded) }).toEqual({
      shown,
      ...comparable({ output: expected.output, error }, recorded),
    });
    if (message instanceof RegExp) expect(actualMessage).toMatch(message);
    else expect(actualMessage).toBe(message);
  }
}

async function dropTables(): Promise<void> {
  const { TableNames } = (await call('ListTables', {})) as { TableNames: string[] };
  for (const TableName of TableNames) await call('DeleteTable', { TableName });
}

function call(operation: string, input: unknown): Promise<unknown> {
  return dynamoDb.service.call(operation, input, () => {});
}

async function attempt(
  operation: string,
  input: unknown,
): Promise<{ output?: unknown; error?: { name: string; message: string } & Record<string, unknown> }> {
  try {
    return { output: await call(operation, input) };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { error: { name: error.code, message: error.message, ...error.fields } };
  }
}

/** Integers of a small unit, so that BigInt computes the expected result. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 17 }))
  .map(([value, places]) => ({ value: value * 10n ** BigInt(17 - places), text: formatDecimal(value, places) }));

describe('numbers', () => {
  it('have one canonical notation', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 0, max: 5 }), ({ text }, zeros) => {
        const once = normalizeNumber(text);
        expect(normalizeNumber(once)).toBe(once);
        expect(normalizeNumber(`${text}${text.includes('.') ? '0'.repeat(zeros) : ''}e0`)).toBe(once);
      }),
    );
  });

  it('compare by value, as numbers and as key bytes', () => {
    fc.assert(
      fc.property(decimal, decimal, (one, two) => {
        const order = one.value < two.value ? -1 : one.value > two.value ? 1 : 0;
        expect(Math.sign(compareNumbers(one.text, two.text))).toBe(order);
        expect(Math.sign(Buffer.compare(encodeNumber(one.text), encodeNumber(two.text)))).toBe(order);
      }),
    );
  });

  it('add and subtract exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, (one, two) => {
        expect(addNumbers(one.text, two.text)).toBe(normalizeNumber(formatDecimal(one.value + two.value, 17)));
        expect(subtractNumbers(one.text, two.text)).toBe(normalizeNumber(formatDecimal(one.value - two.value, 17)));
      }),
    );
  });

  it('sort as keys over the whole range', () => {
    const rising = [
      '-9.9e125',
      '-1e125',
      '-1.00001',
      '-1',
      '-9e-130',
      '-1e-130',
      '0',
      '1e-130',
      '9e-130',
      '1',
      '1.00001',
      '1e125',
      '9.9e125',
    ];
    const sorted = [...rising].reverse().sort((one, two) => Buffer.compare(encodeNumber(one), encodeNumber(two)));
    expect(sorted).toEqual(rising);
  });
});

function formatDecimal(value: bigint, places: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${value < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
}
