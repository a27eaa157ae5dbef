import { addMonths } from '#contracts/rules/subscription.ts'

export type Offset = { months?: number; days?: number; hours?: number; minutes?: number; seconds?: number }

/** Returns an instant relative to the anchor; calendar months are added first. */
export type Moments = (offset?: Offset) => Date

export const momentsFrom =
  (anchor: Date): Moments =>
  ({ months = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = {}) =>
    new Date(addMonths(anchor, months).getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
