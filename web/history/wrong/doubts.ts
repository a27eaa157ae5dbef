import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import { fixAt } from '#contracts/rules/history/fixes.ts'
import type { PositionColumns } from '#contracts/track/columns.ts'
import { markAt } from '#contracts/track/marks.ts'

/** Consecutive positions with the same mark: they look wrong for the same reason, or their owner marked them as right. */
export type Doubt = {
  mark: string
  ids: readonly number[]
  points: readonly LatLng[]
  /** Time of the first and of the last position, in ms. */
  first: number
  last: number
}

/** The doubtful positions of a history, oldest first. */
export function listDoubts(positions: PositionColumns): Doubt[] {
  const doubts: (Doubt & { ids: number[]; points: LatLng[] })[] = []
  for (let index = 0; index < positions.length; index++) {
    const mark = markAt(positions, index)
    if (mark === null) continue
    const { datetime, lat, lng } = fixAt(positions, index)
    const before = doubts.at(-1)
    const isSame = before?.mark === mark && markAt(positions, index - 1) === mark
    const doubt = isSame ? before : { mark, ids: [], points: [], first: datetime, last: datetime }
    if (!isSame) doubts.push(doubt)
    doubt.ids.push(positions.id[index] ?? 0)
    doubt.points.push({ lat, lng })
    doubt.last = datetime
  }
  return doubts
}

export const isKept = ({ mark }: Doubt) => mark === 'kept'

export const countPositions = (doubts: readonly Doubt[]) => doubts.reduce((sum, { ids }) => sum + ids.length, 0)
