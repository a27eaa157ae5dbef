import { minorUnitDigits } from '#contracts/rules/price.ts'

/** Minor units of an amount such as `4.95` or `4,95`; null for any other text. */
export function parseAmount(text: string, currency: string) {
  const digits = minorUnitDigits(currency)
  const [, whole, part = ''] = /^(\d{1,9})(?:[.,](\d{1,3}))?$/.exec(text.trim()) ?? []
  if (whole === undefined || part.length > digits) return null
  return Number(whole) * 10 ** digits + Number(part.padEnd(digits, '0') || 0)
}
