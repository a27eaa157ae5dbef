import type { TFunction } from 'i18next'
import { bearingDegrees, distanceMeters, type LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { Formats } from '#web/lib/i18n/format.ts'
import type { MyFix } from './my-position.ts'

const BEARINGS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const

/** One of the eight winds. */
export const bearingWords = (t: TFunction, degrees: number) => t(`finder.bearing.${BEARINGS[Math.round(degrees / 45) % 8] ?? 'n'}`)

/** "850 m from you, north-east"; within the accuracy of both positions only that. */
export function wayWords(t: TFunction, formats: Formats, me: MyFix, at: LatLng & { precision: number }) {
  const meters = distanceMeters(me, at)
  const blur = me.accuracy + at.precision
  if (meters <= blur) return t('finder.within', { distance: formats.distance(blur) })
  return t('finder.away', { distance: formats.distance(meters), direction: bearingWords(t, bearingDegrees(me, at)) })
}
