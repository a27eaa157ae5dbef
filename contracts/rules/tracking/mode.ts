import type { Open } from '#contracts/lib/unknown-values.ts'
import { isSct2Board, type Kind } from './tracker.ts'

/** Firmware profiles: the kinds without `plane`. */
export const USAGES = ['person', 'vehicle', 'dog', 'cat', 'other', 'bike'] as const
export type Usage = Open<typeof USAGES>

/** In ascending intensity. The portal's texts call `high` "medium", but no value does. */
export const MONITORING_LEVELS = ['standard', 'high', 'intense'] as const
export type MonitoringLevel = (typeof MONITORING_LEVELS)[number]

export type ModeVariant = 'none' | 'vehicle' | 'animal'

export type ModeLabel =
  | { kind: 'level'; level: MonitoringLevel; variant: ModeVariant }
  | { kind: 'plane' | 'lost' | 'configurable' }
  | { kind: 'unknown'; code: number }

/** Codes of the monitoring levels: +7 with the vehicle alert, +20 for an animal; 3 is high and 2 is intense. */
const LEVEL_CODES = {
  none: { standard: 1, high: 3, intense: 2 },
  vehicle: { standard: 8, high: 10, intense: 9 },
  animal: { standard: 21, high: 23, intense: 22 },
} as const satisfies Record<ModeVariant, Record<MonitoringLevel, number>>

/** Every code, in the order a picker offers them. */
export const MODE_CODES = [1, 3, 2, 8, 10, 9, 21, 23, 22, 4, 7, 27, 50] as const
export type ModeCode = (typeof MODE_CODES)[number]

const LABELS: Record<ModeCode, ModeLabel> = {
  1: { kind: 'level', level: 'standard', variant: 'none' },
  3: { kind: 'level', level: 'high', variant: 'none' },
  2: { kind: 'level', level: 'intense', variant: 'none' },
  8: { kind: 'level', level: 'standard', variant: 'vehicle' },
  10: { kind: 'level', level: 'high', variant: 'vehicle' },
  9: { kind: 'level', level: 'intense', variant: 'vehicle' },
  21: { kind: 'level', level: 'standard', variant: 'animal' },
  23: { kind: 'level', level: 'high', variant: 'animal' },
  22: { kind: 'level', level: 'intense', variant: 'animal' },
  4: { kind: 'plane' },
  7: { kind: 'lost' },
  27: { kind: 'lost' },
  50: { kind: 'configurable' },
}

/** The mode of a tracker whose backend does not send one. */
export const UNREPORTED_MODE = 0

export const isModeCode = (code: number): code is ModeCode => MODE_CODES.some((known) => known === code)

export const modeLabel = (code: number): ModeLabel => (isModeCode(code) ? LABELS[code] : { kind: 'unknown', code })

/** The inverse of `modeLabel` for the monitoring levels. */
export const modeCode = (level: MonitoringLevel, variant: ModeVariant): ModeCode => LEVEL_CODES[variant][level]

/** Lost mode is 27 for an animal, otherwise 7. */
export const lostMode = (usage: Usage): ModeCode => (isAnimal(usage) ? 27 : 7)

/** Codes a tracker accepts, its factory setting first; others are rejected with `mode_not_allowed`. */
export const allowedModes = (usage: Usage, boardName: string | null): [ModeCode, ...ModeCode[]] => {
  if (isSct2Board(boardName)) return [50, 4, lostMode(usage)]
  if (isAnimal(usage)) return [21, 23, 22, 1, 3, 2, 4, 27]
  return usage === 'vehicle' || usage === 'bike' ? [1, 3, 2, 8, 10, 9, 4, 7] : [1, 3, 2, 4, 7]
}

/** Returns the closest mode a tracker of that usage accepts: the same code, else the same level or lost mode of its own variant. */
export const nearestMode = (code: number, usage: Usage, boardName: string | null): ModeCode => {
  const allowed = allowedModes(usage, boardName)
  const nameOf = (mode: number) => {
    const label = modeLabel(mode)
    return label.kind === 'level' ? label.level : label.kind
  }
  return allowed.find((mode) => mode === code) ?? allowed.find((mode) => nameOf(mode) === nameOf(code)) ?? allowed[0]
}

export const hasVehicleAlert = (code: number) => code === 8 || code === 9 || code === 10

/** Switches the vehicle alert on (1→8, 3→10, 2→9) or off again; a mode without such a counterpart is returned unchanged. */
export const switchVehicleAlert = (code: ModeCode, on: boolean): ModeCode => {
  const label = LABELS[code]
  return label.kind === 'level' && label.variant !== 'animal' ? modeCode(label.level, on ? 'vehicle' : 'none') : code
}

/** The firmware profile of a kind: the same word, except that a plane has none of its own. */
export const deriveUsage = (kind: Kind): Usage => (kind === 'plane' ? 'other' : kind)

/** Usages with the animal modes 21, 23, 22 and 27. */
export const isAnimal = (usage: Usage) => usage === 'dog' || usage === 'cat'
