import type { Drive } from './drive.ts'
import type { Due } from './due-fixes.ts'

/** What somebody makes of the trackers of a world, seconds from the anchor. Neither a snapshot nor a restart remembers it. */
export type Steering = ReturnType<typeof createSteering>

export function createSteering() {
  const drives = new Map<string, Drive>()
  const silences = new Map<string, number>()
  return {
    isRunning: true,
    drives,
    /** Until when a tracker says nothing, by identifier. */
    silences,
    /** What a tracker sends from one second to another, when `own` is what it would send by itself. */
    steer(identifier: string, own: Due[], from: number, to: number): Due[] {
      if (!this.isRunning) return []
      const drive = drives.get(identifier)
      const free = drive ? own.filter(({ second }) => second < drive.begin || second > drive.end) : own
      const led = drive?.fixes.filter(({ second }) => second >= from && second <= to) ?? []
      const silence = silences.get(identifier) ?? Number.NEGATIVE_INFINITY
      return [...free, ...led].filter(({ second }) => second > silence).sort((a, b) => a.second - b.second)
    },
  }
}
