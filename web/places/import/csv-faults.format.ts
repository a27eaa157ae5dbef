import type { TFunction } from 'i18next'
import { ACCOUNT_LIMITS, CSV_MAX_BYTES, CSV_MAX_ROWS } from '#contracts/lib/constants.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import type { Problem } from './csv-preview.ts'

const FAULTS = ['required', 'too_long', 'unknown_type', 'not_found', 'cells', 'quotes'] as const

export const formatFaults = (t: TFunction, faults: Record<string, readonly string[]>): string[] =>
  Object.entries(faults).flatMap(([column, codes]) =>
    codes.map((code) => {
      const known = FAULTS.find((fault) => fault === code)
      return known ? t(`places.import.faults.${known}`, { column }) : t('error.invalid')
    }),
  )

export const formatProblem = (t: TFunction, { number }: Formats, problem: Problem): string => {
  if (problem.is === 'general') return t('error.general')
  if (problem.is === 'tooManyPlaces') return t('limit.places', { n: ACCOUNT_LIMITS.places })
  const limits = { rows: number(CSV_MAX_ROWS), mb: number(CSV_MAX_BYTES / 1024 ** 2) }
  return t(`places.import.${problem.is}`, limits)
}
