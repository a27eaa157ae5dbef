import type { TFunction } from 'i18next'
import type { PublicLink } from '#contracts/links.ts'
import { isLinkExpired, isShownPermanent } from '#contracts/rules/link.ts'
import type { Formats } from '#web/lib/i18n/format.ts'

type LinkEnd = { is: 'expired' | 'permanent' } | { is: 'until'; date: string }

export function linkEnd({ end_date, expiry, permanent }: PublicLink, now: Date): LinkEnd {
  if (isLinkExpired(expiry, now)) return { is: 'expired' }
  return permanent || !end_date || isShownPermanent(end_date) ? { is: 'permanent' } : { is: 'until', date: end_date }
}

export const formatLinkEnd = (t: TFunction, end: LinkEnd, formats: Formats) =>
  end.is === 'until' ? t('links.until', { date: formats.dateTime(end.date) }) : t(`links.${end.is}`)
