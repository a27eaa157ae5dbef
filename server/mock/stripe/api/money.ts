import { minorUnitDigits } from '#server/mock/stripe/port.ts'
import { Problem } from './endpoint.ts'

/** The currencies that Stripe accepts, in the order of its error message; without the stablecoin. */
export const CURRENCIES: readonly string[] = (
  'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk ' +
  'djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd ' +
  'kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg ' +
  'qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof ' +
  'xpf yer zar zmw btn ghs eek lvl svc vef ltl sll mro'
).split(' ')

/** Eight digits, in every currency. */
export const MAX_AMOUNT = 99_999_999

/** The smallest charges in minor units. For other currencies Stripe converts that of the account's currency, which the fake omits. */
const MIN_CHARGES: Record<string, number> = {
  ...{ usd: 50, aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400, huf: 17_500 },
  ...{ inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50, thb: 1000 },
}

/** Formats minor units as Stripe's messages do. */
export function formatMoney(amount: number, currency: string) {
  const digits = minorUnitDigits(currency)
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...decimals })
  return format.format(amount / 10 ** digits)
}

/** Stripe takes two digits for these currencies, of which only whole units can be charged; and three digits, of which the last is 0. */
const findStep = (currency: string) => (['isk', 'ugx'].includes(currency) ? 100 : minorUnitDigits(currency) === 3 ? 10 : 1)

function checkStep(amount: number, currency: string) {
  const step = findStep(currency)
  if (amount % step !== 0)
    throw new Problem(`Amounts in ${currency} must be evenly divisible by ${step}`, { code: 'parameter_invalid_integer', param: 'amount' })
}

/** Rejects charges outside Stripe's limits. */
export function checkCharge(amount: number, currency: string) {
  checkStep(amount, currency)
  const least = MIN_CHARGES[currency] ?? 0
  if (amount < least)
    throw new Problem(`Amount must be at least ${formatMoney(least, currency)} ${currency}`, { code: 'amount_too_small', param: 'amount' })
  if (amount > MAX_AMOUNT)
    throw new Problem(`Amount must be no more than ${formatMoney(MAX_AMOUNT, currency)}`, { code: 'amount_too_large', param: 'amount' })
}

/** Rejects a checkout session whose total is outside Stripe's limits. A total of zero needs no charge. */
export function checkTotal(total: number, currency: string) {
  checkStep(total, currency)
  const least = MIN_CHARGES[currency] ?? 0
  const subject = "The Checkout Session's total amount due must"
  if (total !== 0 && total < least)
    throw new Problem(`${subject} add up to at least ${formatMoney(least, currency)} ${currency}`, { code: 'amount_too_small' })
  if (total > MAX_AMOUNT)
    throw new Problem(`${subject} be no more than ${formatMoney(MAX_AMOUNT, currency)}.`, { code: 'amount_too_large' })
}
