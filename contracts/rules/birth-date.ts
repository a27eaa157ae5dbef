import { BIRTH_YEAR_MIN } from '#contracts/lib/constants.ts'

/** Whether the text is a calendar day as YYYY-MM-DD, from 1900 up to today in UTC. */
export const isBirthDate = (text: string, now: Date) => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number(text.slice(0, 4)) < BIRTH_YEAR_MIN) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && day <= now
}
