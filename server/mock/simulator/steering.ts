import type { Drive } from './drive.ts'
import type { Due } from './due-fixes.ts'

/** Manual control of the trackers of a world, in seconds from the anchor. It is lost at a snapshot or a restart. */
export type Steering = ReturnType<typeof createSteering>

export function createSteering() {
  const drives = new Map<string, Drive>()
  const silences = new Map<string, number>()
  return {
    isRunning: true,
    drives,
    /** The second until which a tracker is silent, by identifier. */
    silences,
    /** Returns the fixes a tracker sends in a span, where `own` are those of its simulated life. */
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
