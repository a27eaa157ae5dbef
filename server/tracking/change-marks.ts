import { POSITION_MARKS } from '#contracts/lib/constants.ts'
import type { MarkChange } from '#contracts/positions.ts'
import { getOwnedDevice } from '#server/devices/get-device.ts'
import { invalidField } from '#server/lib/errors.ts'
import type { ViewerContext } from '#server/ports/world.ts'
import { timeOfPosition } from './positions.present.ts'

/** Declares positions right, or takes away their mark. Returns how many marks changed. */
export async function changeMarks(context: ViewerContext, deviceId: number, { positions: ids, mark }: MarkChange) {
  const { id } = await getOwnedDevice(context, deviceId)
  const times = [...new Set(ids)].map((one) => timeOfPosition(id, one)).filter((time) => time !== null)
  if (times.length < new Set(ids).size) throw invalidField('positions', 'Not a position of this tracker')
  return context.db.write(async (tx) => {
    let changed = 0
    for (const time of times) changed += Number(await context.positions.mark(tx, id, time, mark && POSITION_MARKS.indexOf(mark)))
    return changed
  })
}
