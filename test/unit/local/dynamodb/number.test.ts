import fc from 'fast-check';
import {
  addNumbers,
  compareNumbers,
  encodeNumber,
  normalizeNumber,
  subtractNumbers,
} from '../../../../local/dynamodb/number.ts';

/** Whole numbers of a small unit, so that BigInt can say what is right. */
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
