import { allowedModes, hasVehicleAlert, isAnimal, type ModeCode, modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { blockReason } from '#web/trackers/block-reason.ts'

/** Why a tracker is left out of a change of modes. */
export const SKIP_REASONS = ['same', 'unknown', 'subscription', 'deactivated', 'readOnly'] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export type ModeChange = { device: Device; code: ModeCode }

/** What all codes of a mode have in common: its level, or its kind. */
const nameOf = (code: number) => {
  const label = modeLabel(code)
  return label.kind === 'level' ? label.level : label.kind
}

const codesOf = ({ tracker_config: { usage, board_name } }: Device) =>
  allowedModes(usage, board_name).filter((code) => {
    const label = modeLabel(code)
    return !(isAnimal(usage) && label.kind === 'level' && label.variant === 'none')
  })

const current = ({ tracker_config: { mode, pending_mode } }: Device) => pending_mode ?? mode

/** One code for each mode that at least one of the trackers accepts. */
export function listModes(devices: readonly Device[]) {
  const modes = new Map<string, ModeCode>()
  for (const device of devices)
    for (const code of codesOf(device)) {
      const label = modeLabel(code)
      const isPlain = label.kind !== 'level' || label.variant === 'none'
      if (isPlain || !modes.has(nameOf(code))) modes.set(nameOf(code), code)
    }
  return [...modes].map(([name, code]) => ({ name, code }))
}

/** Which trackers change to a mode, a vehicle alert staying on or off, and which are left out and why. */
export function planModes(devices: readonly Device[], name: string, role: string, now: Date) {
  const changes: ModeChange[] = []
  const skipped: { device: Device; reason: SkipReason }[] = []
  for (const device of devices) {
    const matching = codesOf(device).filter((code) => nameOf(code) === name)
    const code = matching.find((one) => hasVehicleAlert(one) === hasVehicleAlert(current(device))) ?? matching[0]
    const block = blockReason('mode', device, role, now)
    if (block && block !== 'plane') skipped.push({ device, reason: block })
    else if (!code) skipped.push({ device, reason: 'unknown' })
    else if (nameOf(current(device)) === name) skipped.push({ device, reason: 'same' })
    else changes.push({ device, code })
  }
  return { changes, skipped }
}

export const undoModes = (changes: readonly ModeChange[]) => changes.map(({ device }) => ({ device, code: current(device) }))
