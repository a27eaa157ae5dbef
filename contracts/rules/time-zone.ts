const LONGEST = 64

/** A zone of the IANA database by its name, such as `America/Montevideo`; an offset such as `+03:00` is none. */
export function isTimeZone(name: string) {
  if (name.length > LONGEST || !/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
