/** `decimal` is stored with so many digits before and after the point. */
export const DECIMAL_WIDTH = 38;
export const DECIMAL_SCALE = 18;

const LARGEST = 10n ** BigInt(DECIMAL_WIDTH) - 1n;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/u;

/** The digits of a decimal that is stored as `unscaled / 10^18`, without needless zeros. */
export function decimalText(unscaled: bigint): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(DECIMAL_SCALE + 1, "0");
  const whole = digits.slice(0, -DECIMAL_SCALE);
  const fraction = digits.slice(-DECIMAL_SCALE).replace(/0+$/u, "");
  return `${unscaled < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * The value times 10^18, digits beyond that rounded half away from zero; undefined when the text
 * is no number or too large to be stored.
 */
export function unscaledDecimal(text: string): bigint | undefined {
  const [matched, sign, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (matched === undefined || whole.length + fraction.length === 0) return undefined;
  const shift = DECIMAL_SCALE - fraction.length + Number(exponent);
  const unscaled = shifted(BigInt(whole + fraction), shift);
  if (unscaled > LARGEST) return undefined;
  return sign === "-" ? -unscaled : unscaled;
}

function shifted(digits: bigint, shift: number): bigint {
  if (digits === 0n) return 0n;
  // Beyond the width nothing fits anyway; the bound keeps the power small.
  if (shift >= 0) return shift > DECIMAL_WIDTH ? LARGEST + 1n : digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor / 2n) / divisor;
}
