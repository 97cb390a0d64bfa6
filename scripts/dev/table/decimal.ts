import { invalid } from './table-error.ts';

/**
 * A number as `0.<digits> × 10^exponent`, without leading or trailing zeros. Zero has no digits.
 */
type Decimal = {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
};

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
/** Most numbers have this form and need no parsing. */
const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;
const maxDigits = 38;
// 1E-130 to 9.99…E+125.
const minExponent = -129;
const maxExponent = 126;

/** Returns a number in DynamoDB's format. Throws if DynamoDB can't store it. */
export function normalizeNumber(text: string): string {
  return plainInteger.test(text) ? text : format(parse(text));
}

/** Compares two normalized numbers. */
export function compareNumbers(one: string, other: string): number {
  if (plainInteger.test(one) && plainInteger.test(other)) {
    return Number(one) - Number(other);
  }
  const [left, right] = [sortableNumber(one), sortableNumber(other)];

  return left === right ? 0 : left < right ? -1 : 1;
}

/** Returns a text that sorts in the same order as the number. */
export function sortableNumber(text: string): string {
  const { isNegative, digits, exponent } = parse(text);
  if (digits === '') {
    return '1';
  }
  // Three digits for every exponent.
  const place = exponent + 500;
  if (!isNegative) {
    return `2${place}${digits}`;
  }
  // The larger the magnitude, the smaller the number. The colon sorts after all digits.
  const complement = digits.replace(/\d/g, (digit) => String(9 - Number(digit)));

  return `0${999 - place}${complement}:`;
}

/** Adds two normalized numbers exactly. Throws if DynamoDB can't store the sum. */
export function addNumbers(one: string, other: string): string {
  if (plainInteger.test(one) && plainInteger.test(other)) {
    const sum = Number(one) + Number(other);
    if (Number.isSafeInteger(sum)) {
      // Adding zero turns -0 into 0.
      return String(sum + 0);
    }
  }
  const [left, right] = [parse(one), parse(other)];
  const scale = Math.min(lowestPlace(left), lowestPlace(right));
  const sum = scaled(left, scale) + scaled(right, scale);

  return format(parse(`${sum}e${scale}`));
}

function lowestPlace({ digits, exponent }: Decimal): number {
  return exponent - digits.length;
}

function scaled(decimal: Decimal, scale: number): bigint {
  const { isNegative, digits } = decimal;
  const size = BigInt(`${digits}${'0'.repeat(lowestPlace(decimal) - scale)}` || '0');

  return isNegative ? -size : size;
}

function parse(text: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] = pattern.exec(text) ?? [];
  if (`${whole}${fraction}` === '') {
    throw invalid(`The parameter cannot be converted to a numeric value: "${text}"`);
  }
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') {
    return { isNegative: false, digits, exponent: 0 };
  }
  const exponent = significant.length - fraction.length + Number(power);
  requireStorable(digits, exponent);

  return { isNegative: sign === '-', digits, exponent };
}

function requireStorable(digits: string, exponent: number): void {
  if (exponent > maxExponent) {
    throw invalid(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (exponent < minExponent) {
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  if (digits.length > maxDigits) {
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  }
}

function format({ isNegative, digits, exponent }: Decimal): string {
  if (digits === '') {
    return '0';
  }
  const sign = isNegative ? '-' : '';
  if (exponent <= 0) {
    return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  }
  const whole = digits.slice(0, exponent).padEnd(exponent, '0');
  const fraction = digits.slice(exponent);

  return `${sign}${whole}${fraction && `.${fraction}`}`;
}
