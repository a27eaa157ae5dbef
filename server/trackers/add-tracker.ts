import { normalizeIdentifier, normalizeSerial } from '#contracts/rules/text.ts'
import { allowedModes, deriveUsage } from '#contracts/rules/tracking/mode.ts'
import { isSct2Board, usualBoard, usualOperator } from '#contracts/rules/tracking/tracker.ts'
import type { NewTracker } from '#contracts/trackers/trackers.ts'
import type { LockFinder, Tx } from '#db/db.ts'
import { presentParams, saveParams, toParamsRow } from '#server/devices/sct2/sct2.store.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { areNumbersTaken, findFactoryDevice, insertTracker, removeFactoryDevice } from './trackers.store.ts'

/**
 * Adds a tracker to an account. Factory data takes precedence over the request; a serial must be known to the factory, an identifier need
 * not. Throws `identifier_taken` when either number is on an account.
 */
export async function addTracker(tx: Tx, accountId: number, request: NewTracker, now: Date) {
  const { factory, identifier, serial } = await resolveNumbers(tx, request)
  const type = factory?.type ?? request.type
  if (!type) throw invalidField('type', 'Required, because the identifier does not determine it')
  const boardName = factory?.boardName ?? usualBoard(type)
  const [mode] = allowedModes(deriveUsage(request.kind), boardName)
  if (factory) await removeFactoryDevice(tx, factory.identifier)
  const tracker = await insertTracker(tx, {
    accountId,
    type,
    boardName,
    name: request.name,
    identifier,
    serial,
    kind: request.kind,
    operator: usualOperator(type),
    createdAt: now,
    mode,
    subState: type === 'triby' ? 'none' : 'not_activated',
  })
  if (isSct2Board(boardName)) await saveParams(tx, toParamsRow(tracker.id, presentParams()))
  return tracker
}

/** Locks the account and both numbers of the tracker, which another account may add at the same time. */
export const numberLock =
  (accountId: number, request: NewTracker): LockFinder =>
  async (db) => {
    const given = readNumbers(request)
    const numbers = { ...(await findFactoryDevice(db, given)), ...given }
    return [`account:${accountId}`, `tracker:${numbers.identifier ?? ''}`, `tracker:${numbers.serial ?? ''}`]
  }

const readNumbers = ({ identifier, serial }: NewTracker) => ({
  ...(identifier !== undefined && { identifier: parseIdentifier(identifier) }),
  ...(serial !== undefined && { serial: parseSerial(serial) }),
})

/** Looks up the factory data and completes both numbers from it. */
async function resolveNumbers(tx: Tx, request: NewTracker) {
  const { identifier, serial } = readNumbers(request)
  const factory = await findFactoryDevice(tx, { identifier, serial })
  const identifiers = [identifier, factory?.identifier].filter((number) => number !== undefined)
  const serials = [serial, factory?.serial].filter((number) => number !== undefined)
  if (await areNumbersTaken(tx, { identifiers, serials })) throw new Failure('identifier_taken')
  if (serial && !factory) throw invalidSerial('No tracker has it')
  if (serial && identifier && factory?.identifier !== identifier) throw invalidSerial('Belongs to another identifier')
  return { factory, identifier: factory?.identifier ?? identifier, serial: factory?.serial }
}

export function parseIdentifier(text: string) {
  const identifier = normalizeIdentifier(text)
  if (identifier === null) throw new Failure('invalid_identifier', { errors: { identifier: ['Must be 8+2 digits'] } })
  return identifier
}

export function parseSerial(text: string) {
  const serial = normalizeSerial(text)
  if (serial === null) throw invalidSerial('Must be 12 letters and digits')
  return serial
}

const invalidSerial = (reason: string) => new Failure('invalid_serial', { errors: { serial: [reason] } })
