import { allowedModes, isAnimal, type ModeCode, modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'

/**
 * Modes offered to the user: those the tracker accepts, except an animal's plain levels, whose labels would look the same as the animal
 * levels.
 */
export const offeredModes = ({ tracker_config: { usage, board_name } }: Device): ModeCode[] =>
  allowedModes(usage, board_name).filter((code) => {
    const label = modeLabel(code)
    return !(isAnimal(usage) && label.kind === 'level' && label.variant === 'none')
  })

/** Modes that end lost or plane mode: the monitoring levels, or the configurable mode. */
export const levelModes = (device: Device): ModeCode[] =>
  offeredModes(device).filter((code) => {
    const { kind } = modeLabel(code)
    return kind === 'level' || kind === 'configurable'
  })
