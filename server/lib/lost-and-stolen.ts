import { modeLabel } from '#contracts/rules/tracking/mode.ts'
import type { Tx } from '#db/db.ts'
import { type DeviceRow, hasOpenReport } from '#db/scope.ts'
import { Failure } from '#server/lib/errors.ts'

const isLost = (mode: number | null) => mode !== null && modeLabel(mode).kind === 'lost'

/**
 * Throws `reported_missing` while the tracker has an open theft report or is in lost mode: the S/N is printed inside the tracker, so a
 * thief can read it too. Positions and report stay with the owner.
 */
export async function requireNotLostOrStolen(tx: Tx, { id, mode, pendingMode }: DeviceRow) {
  if (isLost(mode) || isLost(pendingMode) || (await hasOpenReport(tx, id))) throw new Failure('reported_missing')
}
