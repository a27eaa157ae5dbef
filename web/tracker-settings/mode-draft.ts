import type { MonitoringLevel, Usage } from '#contracts/lib/constants.ts'
import { isAnimal, lostMode, modeCode, modeLabel } from '#contracts/rules/tracking/mode.ts'
import { isSct2Board } from '#contracts/rules/tracking/tracker.ts'

/** A mode as edited on the settings page. Plane and lost mode override the level, which is the code for a mode of next year. */
export type ModeDraft = { special: 'plane' | 'lost' | null; level: MonitoringLevel | number; hasAlert: boolean }

export const toModeDraft = (code: number): ModeDraft => {
  const label = modeLabel(code)
  if (label.kind === 'level') return { special: null, level: label.level, hasAlert: label.variant === 'vehicle' }
  if (label.kind === 'unknown') return { special: null, level: code, hasAlert: false }
  return { special: label.kind === 'plane' || label.kind === 'lost' ? label.kind : null, level: 'standard', hasAlert: false }
}

/** The mode code of a draft; animals have their own codes for each level. */
export const toModeCode = (
  { special, level, hasAlert }: ModeDraft,
  { usage, board_name }: { usage: Usage; board_name: string },
): number => {
  if (special) return special === 'plane' ? 4 : lostMode(usage)
  if (typeof level === 'number') return level
  if (isSct2Board(board_name)) return 50
  return modeCode(level, isAnimal(usage) ? 'animal' : hasAlert ? 'vehicle' : 'none')
}
