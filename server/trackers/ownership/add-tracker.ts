import { DAY_MS } from '#contracts/rules/time.ts'
import { allowedModes, deriveUsage } from '#contracts/rules/tracking/mode.ts'
import { isSct2Board, usualBoard, usualOperator } from '#contracts/rules/tracking/tracker.ts'
import type { NewTracker } from '#contracts/trackers/trackers.ts'
import type { LockFinder, Tx } from '#db/db.ts'
import { touch } from '#db/device-changes.ts'
import type { DeviceRow } from '#db/scope.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import type { ClaimRules, World } from '#server/ports/world.ts'
import { findIncludedMonths } from '#server/stock/included-months.ts'
import { areMonthsUsed, findStockItem } from '#server/stock/stock.store.ts'
import { presentParams, saveParams, toParamsRow } from '#server/trackers/sct2/sct2.store.ts'
import { areNumbersTaken, findTrackerByNumbers } from '#server/trackers/serials/numbers.store.ts'
import { invalidSerial, parseIdentifier, parseSerial } from '#server/trackers/serials/numbers.ts'
import { removeFromOwner } from './remove-trackers.ts'
import { findFirstClaim, insertTracker, isKeptForOther } from './trackers.store.ts'

type Ports = Pick<World, 'clock' | 'positions' | 'claims'>

/**
 * Adds a tracker to an account. The stock item takes precedence over the request; a serial must be that of a stock item, and so must an
 * identifier, unless any number may be claimed. Throws `identifier_taken` when an account has either number, unless it only has an unused
 * claim.
 */
export async function addTracker(tx: Tx, accountId: number, request: NewTracker, ports: Ports) {
  const now = ports.clock.now()
  await removeEmptyClaim(tx, accountId, request, ports)
  const { item, identifier, serial } = await resolveNumbers(tx, accountId, request, ports)
  const type = item?.type ?? request.type
  if (!type) throw invalidField('type', 'Required, because the identifier does not determine it')
  const boardName = item?.boardName ?? usualBoard(type)
  const subState = type !== 'triby' && (await hasIncludedMonths(tx, identifier, ports.claims)) ? 'not_activated' : 'none'
  const { name, kind } = request
  const graceFrom = await findFirstClaim(tx, identifier, accountId)
  const operator = usualOperator(type)
  return createTracker(tx, { accountId, name, kind, type, boardName, identifier, serial, operator, subState, graceFrom }, now)
}

type Created = Pick<DeviceRow, 'accountId' | 'name' | 'kind' | 'type' | 'operator' | 'identifier' | 'subState'> & {
  boardName?: string
  serial?: string | undefined
  graceFrom?: Date | undefined
}

/** Creates a tracker in the first mode that its board allows. */
export async function createTracker(tx: Tx, { boardName, ...tracker }: Created, now: Date) {
  const board = boardName ?? usualBoard(tracker.type)
  const [mode] = allowedModes(deriveUsage(tracker.kind), board)
  const created = await insertTracker(tx, { ...tracker, boardName: board, createdAt: now, mode })
  if (isSct2Board(board)) await saveParams(tx, toParamsRow(created.id, presentParams()))
  return created
}

/** Whether activation starts a plan; otherwise one has to be bought. */
async function hasIncludedMonths(tx: Tx, identifier: string, claims: ClaimRules) {
  return (await findIncludedMonths(tx, identifier, claims)) > 0 && !(await areMonthsUsed(tx, identifier))
}

/** Locks the account and both numbers of the tracker, which another account may add at the same time. */
export const numberLock =
  (accountId: number, request: NewTracker): LockFinder =>
  async (db) => {
    const given = readNumbers(request)
    const numbers = { ...(await findStockItem(db, given)), ...given }
    const claim = given.identifier ? await findTrackerByNumbers(db, { identifier: given.identifier }) : undefined
    const accountIds = [...new Set([accountId, claim?.accountId ?? accountId])].map((id) => `account:${id}` as const)
    return [...accountIds, `tracker:${numbers.identifier ?? ''}`, `tracker:${numbers.serial ?? ''}`]
  }

/** How long an account can hold a tracker that it has not proven, paid for or used. */
const CLAIM_DAYS = 7

/** Whether the account has only claimed a number: there is no S/N, no message, no position and no subscription. */
function isEmptyClaim(device: DeviceRow, now: Date) {
  const { serial, lastMessageAt, positionAt, subState, pendingMode, createdAt } = device
  const isUnused = lastMessageAt === null && positionAt === null && pendingMode === null
  const isUnpaid = subState === 'not_activated' || subState === 'none'
  return serial === null && isUnused && isUnpaid && createdAt.getTime() + CLAIM_DAYS * DAY_MS <= now.getTime()
}

/** Removes the number from an account that has claimed it for a week without using it, and mails its owner. */
async function removeEmptyClaim(tx: Tx, accountId: number, request: NewTracker, ports: Ports) {
  const { identifier } = readNumbers(request)
  const claim = identifier && (await findTrackerByNumbers(tx, { identifier }))
  if (!claim || claim.accountId === accountId || !isEmptyClaim(claim, ports.clock.now())) return
  touch(tx, claim)
  await removeFromOwner(tx, ports, claim)
}

const readNumbers = ({ identifier, serial }: NewTracker) => ({
  ...(identifier !== undefined && { identifier: parseIdentifier(identifier) }),
  ...(serial !== undefined && { serial: parseSerial(serial) }),
})

/** How long an accepted request keeps a freed tracker for who asked for it, so that the former account cannot take it again. */
const KEPT_DAYS = 7

/** Looks up the stock item and completes both numbers from it. */
async function resolveNumbers(tx: Tx, accountId: number, request: NewTracker, { clock, claims }: Ports) {
  const { identifier, serial } = readNumbers(request)
  const item = await findStockItem(tx, { identifier, serial })
  const identifiers = [identifier, item?.identifier].filter((number) => number !== undefined)
  const serials = [serial, item?.serial].filter((number) => number !== undefined)
  if (await areNumbersTaken(tx, { identifiers, serials })) throw new Failure('identifier_taken')
  const since = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)
  for (const each of identifiers)
    if (await isKeptForOther(tx, { identifier: each, accountId, since })) throw new Failure('identifier_taken')
  if (serial && !item) throw invalidSerial('No tracker has it')
  if (serial && identifier && item?.identifier !== identifier) throw invalidSerial('Belongs to another identifier')
  if (!item && claims.isStockOnly) throw new Failure('not_in_stock', { errors: { identifier: ['No tracker in stock has it'] } })
  if (item?.blockedAt) throw new Failure('blocked', { errors: { [identifier ? 'identifier' : 'serial']: ['The tracker is blocked'] } })
  return { item, identifier: (item?.identifier ?? identifier)!, serial: item?.serial }
}
