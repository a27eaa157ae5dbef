const LONGEST = 64

/** Whether this is the name of an IANA time zone, such as `America/Montevideo`; offsets such as `+03:00` are not. */
export function isTimeZone(name: string) {
  if (name.length > LONGEST || !/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
