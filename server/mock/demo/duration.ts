const MINUTE_MS = 60_000

/** Formats a duration, such as "1 h 52 min"; partial minutes are rounded up. */
export function formatDuration(ms: number, language: string) {
  const minutes = Math.max(0, Math.ceil(ms / MINUTE_MS))
  const say = (value: number, unit: 'hour' | 'minute') =>
    // Intl has the symbols h and min only in some languages: in French, but not in English.
    new Intl.NumberFormat(language === 'en' ? 'fr' : language, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
  const hours = Math.floor(minutes / 60)
  return [...(hours > 0 ? [say(hours, 'hour')] : []), ...(minutes % 60 > 0 || hours === 0 ? [say(minutes % 60, 'minute')] : [])].join(' ')
}
