import type { i18n as I18n, TFunction } from 'i18next'
import type { Deed } from '#contracts/operator/deeds.ts'
import type { Words } from '#web/lib/i18n/i18n.ts'
import { roleName } from '#web/operator/session/role-name.ts'

type WordedKind = keyof Words['operator']['deeds']

const isWorded = (i18n: I18n, kind: string): kind is WordedKind => i18n.exists(`operator.deeds.${kind}`)

/** A kind without words shows its name. */
export const kindWords = (t: TFunction, i18n: I18n, kind: string) => (isWorded(i18n, kind) ? t(`operator.deedKinds.${kind}`) : kind)

/** What was done to whom, in a sentence. Details that are roles are translated, empty ones are a dash. */
export function deedWords(t: TFunction, i18n: I18n, { kind, subject, detail }: Deed) {
  if (!isWorded(i18n, kind)) return `${kind}: ${subject}`
  const details = Object.entries(detail).map(([name, value]) => [
    name,
    typeof value === 'string' && value !== '' ? roleName(t, value) : value || value === 0 ? value : '–',
  ])
  return t(`operator.deeds.${kind}`, { subject, ...Object.fromEntries(details) })
}
