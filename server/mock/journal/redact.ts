const HIDDEN = '[redacted]'
const CARD = '[card]'

const SECRET_HEADER = /^(authorization|cookie|set-cookie|x-csrftoken|x-device-key|stripe-signature)$/i
const SECRET_FIELD = /password|token|secret|signature|^key$|_key$|^hand_off$/i
/** Whether a field or a query parameter of that name holds a secret. */
export const isSecretField = (name: string) => SECRET_FIELD.test(name)

/** Text in JSON, and the text value if it is a field's name. Each quote is read once, so that no body takes long. */
const TEXTS = /("((?:[^"\\]|\\.)*)"?)(?:(\s*:\s*)("(?:[^"\\]|\\.)*"?)?)?/gs
const DIGITS = /(?<![\w.])\d(?:[ -]?\d){12,18}(?![\w.])/g
const BRAND = /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7]|6[05])\d{14}|3[47]\d{13})$/

export const redactHeaders = (headers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, SECRET_HEADER.test(name) ? HIDDEN : String(value)] as const],
    ),
  )

/** Replaces the secrets in the query of a URL. */
export function redactUrl(url: string) {
  const [path = '', search] = url.split('?', 2)
  if (search === undefined) return path
  const query = new URLSearchParams(search)
  for (const name of query.keys()) if (SECRET_FIELD.test(name)) query.set(name, HIDDEN)
  return redactCards(`${path}?${query}`)
}

/** Replaces passwords, tokens, keys and card numbers in JSON, which may be truncated. */
export const redactText = (json: string) =>
  redactCards(
    json.replace(TEXTS, (whole, quoted: string, name: string, colon?: string, value?: string) =>
      value !== undefined && SECRET_FIELD.test(name) ? `${quoted}${colon}"${HIDDEN}"` : whole,
    ),
  )

const redactCards = (text: string) => text.replace(DIGITS, (number) => (isCard(number.replace(/\D/g, '')) ? CARD : number))

/** Checks the brand and the Luhn checksum, so that tracker identifiers are rarely mistaken for cards. */
function isCard(digits: string) {
  if (!BRAND.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
