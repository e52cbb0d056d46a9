// DynamoDB's numbers: exact decimals with up to 38 significant digits. They are strings in one canonical notation (so
// equal numbers are equal strings) and have an encoding that sorts byte by byte.
import { validationError } from './errors.ts';

/** The value is 0.<digits> × 10^exponent; digits have no zeros at either end and are empty for zero. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

const notation = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const canonicalInteger = /^(?:0|-?[1-9]\d{0,14})$/;
const digitZero = 48;
const zero: Decimal = { negative: false, digits: '', exponent: 0 };

/** Returns DynamoDB's canonical notation; rejects anything that is not a number. */
export function normalizeNumber(text: string): string {
  return canonicalInteger.test(text) ? text : format(parse(text));
}

export function addNumbers(left: string, right: string): string {
  return sum(left, right, 1n);
}

export function subtractNumbers(left: string, right: string): string {
  return sum(left, right, -1n);
}

export function compareNumbers(left: string, right: string): number {
  if (canonicalInteger.test(left) && canonicalInteger.test(right)) return Number(left) - Number(right);
  return Buffer.compare(encodeNumber(left), encodeNumber(right));
}

/** Encodes a number into bytes that sort like numbers: sign, exponent, two digits per byte; negative numbers are complemented. */
export function encodeNumber(text: string): Buffer {
  const { negative, digits, exponent } = parse(text);
  if (digits === '') return Buffer.of(2);
  const pairs = Math.ceil(digits.length / 2);
  const bytes = Buffer.alloc(pairs + (negative ? 3 : 2));
  bytes[0] = negative ? 1 : 3;
  bytes[1] = exponent + 129;
  for (let pair = 0; pair < pairs; pair++) {
    bytes[pair + 2] = Number(digits.slice(pair * 2, pair * 2 + 2).padEnd(2, '0')) + 1;
  }
  if (negative) {
    for (let at = 1; at < bytes.length; at++) bytes[at] = 255 - (bytes[at] ?? 0);
    bytes[bytes.length - 1] = 255;
  }
  return bytes;
}

/** The number's part of the item size: one byte, plus one per pair of digits and one for a minus sign. */
export function measureNumber(text: string): number {
  const { negative, digits, exponent } = canonicalInteger.test(text) ? parseInteger(text) : parse(text);
  if (digits === '') return 1;
  const padded = digits.length + (Math.abs(exponent) % 2);
  return 1 + Math.ceil(padded / 2) + (negative ? 1 : 0);
}

/** A faster parse() for an integer in canonical notation. */
function parseInteger(text: string): Decimal {
  if (text === '0') return zero;
  const negative = text.startsWith('-');
  const all = negative ? text.slice(1) : text;
  let end = all.length;
  while (all.charCodeAt(end - 1) === digitZero) end--;
  return { negative, digits: all.slice(0, end), exponent: all.length };
}

function parse(text: string): Decimal {
  const parts = notation.exec(text);
  const whole = parts?.[2] ?? '';
  const fraction = parts?.[3] ?? '';
  if (!parts || whole + fraction === '') {
    const shown = text === '' ? '' : `: ${text}`;
    throw validationError(`The parameter cannot be converted to a numeric value${shown}`);
  }
  const all = whole + fraction;
  const significant = all.replace(/^0+/, '');
  const exponent = whole.length + Number(parts[4] ?? 0) - (all.length - significant.length);
  return assertRange({ negative: parts[1] === '-', digits: significant.replace(/0+$/, ''), exponent });
}

function assertRange(number: Decimal): Decimal {
  if (number.digits === '') return zero;
  if (number.digits.length > 38)
    throw validationError('Attempting to store more than 38 significant digits in a Number');
  if (number.exponent > 126) {
    throw validationError('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (number.exponent < -129) {
    throw validationError('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  return number;
}

function format({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return `${sign}${digits}${'0'.repeat(exponent - digits.length)}`;
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function sum(left: string, right: string, sign: bigint): string {
  if (canonicalInteger.test(left) && canonicalInteger.test(right)) {
    const value = Number(left) + Number(sign) * Number(right);
    if (Number.isSafeInteger(value)) return String(value);
  }
  const a = parse(left);
  const b = parse(right);
  // Scale both to integers of the finer unit, so nothing is rounded.
  const unit = Math.min(a.exponent - a.digits.length, b.exponent - b.digits.length);
  const value = scaleDigits(a, unit) + sign * scaleDigits(b, unit);
  const text = (value < 0n ? -value : value).toString();
  const digits = text.replace(/0+$/, '');
  return format(assertRange({ negative: value < 0n, digits, exponent: text.length + unit }));
}

function scaleDigits({ negative, digits, exponent }: Decimal, unit: number): bigint {
  if (digits === '') return 0n;
  const value = BigInt(digits) * 10n ** BigInt(exponent - digits.length - unit);
  return negative ? -value : value;
}
