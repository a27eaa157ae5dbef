import type { Viewer } from '#db/scope.ts'

/**
 * How much of an S/N a viewer sees: with all of it a tracker can be taken over. A program with an API token sees none, and support its last
 * characters, which suffice to compare over the phone.
 */
export type SerialView = 'whole' | 'end' | 'none'

export const chooseSerialView = ({ isProgram, role }: Pick<Viewer, 'isProgram' | 'role'>): SerialView =>
  isProgram ? 'none' : role === 'deepsupport' ? 'end' : 'whole'

const SHOWN = 3

/** The S/N as a viewer sees it; asterisks hide the rest. */
export function showSerial(serial: string | null, view: SerialView): string | null {
  if (serial === null || view === 'whole') return serial
  return view === 'none' ? null : serial.slice(-SHOWN).padStart(serial.length, '*')
}
