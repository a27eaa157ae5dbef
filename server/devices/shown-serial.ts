import type { Viewer } from '#db/scope.ts'

/**
 * How much of an S/N a viewer gets: with the whole of it a tracker can be taken over. A program with an API token gets none, and support its
 * last characters, which are enough to compare over the phone.
 */
export type SerialView = 'whole' | 'end' | 'none'

export const chooseSerialView = ({ isProgram, role }: Pick<Viewer, 'isProgram' | 'role'>): SerialView =>
  isProgram ? 'none' : role === 'deepsupport' ? 'end' : 'whole'

const SHOWN = 3

/** The S/N as a viewer gets it; stars stand for what is hidden. */
export function showSerial(serial: string | null, view: SerialView): string | null {
  if (serial === null || view === 'whole') return serial
  return view === 'none' ? null : serial.slice(-SHOWN).padStart(serial.length, '*')
}
