import type { Clock } from '#server/ports/clock.ts'
import { codeOfStep, stepAt } from './codes.ts'

/** The secret of the app in hexadecimal, from the base 32 that a person types. */
const toHex = (base32: string) => {
  const bits = [...base32].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, '0')).join('')
}

/** The code that an authenticator app with the secret shows now. */
export const codeAt = ({ clock }: { clock: Pick<Clock, 'now'> }, secret: string) => codeOfStep(toHex(secret), stepAt(clock.now()))
