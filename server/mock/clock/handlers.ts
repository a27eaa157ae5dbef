import type { clock as contract } from '#contracts/mock/clock.ts'
import { wire } from '#contracts/rules/instant.ts'
import { invalid } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { timeOf } from '#server/mock/worlds/present.ts'
import type { MockWorlds } from '#server/mock/worlds.ts'

const SECOND = 1000
/** All that falls due on the way is played: a leap of centuries would never end. */
const LONGEST_LEAP_DAYS = 400
const UNITS = { D: 86_400, H: 3600, M: 60, S: 1 } as const

/** What tests and visitors may do to the time of a world. */
export const clock = (worlds: MockWorlds): Handlers<typeof contract> => ({
  read: (_, { id }) => timeOf(worlds.get(id)!),
  async set({ body }, { id }) {
    const world = worlds.get(id)!
    const last = world.clock.now().getTime() + LONGEST_LEAP_DAYS * UNITS.D * SECOND
    if (body.at && Date.parse(body.at) > last) throw invalid('at', tooFar)
    await world.play(() => world.clock.set({ ...body, at: body.at ? new Date(body.at) : undefined }))
    return timeOf(world)
  },
  async advance({ body }, { id }) {
    const world = worlds.get(id)!
    const seconds = secondsOf(body.by)
    if (seconds > LONGEST_LEAP_DAYS * UNITS.D) throw invalid('by', tooFar)
    let from = world.clock.now()
    let to = from
    const { positions, fired } = await world.play(() => {
      from = world.clock.now()
      to = new Date(from.getTime() + seconds * SECOND)
      world.clock.set({ at: to })
    })
    return { from: wire(from), to: wire(to), positions, fired: fired.map((one) => ({ ...one, at: wire(one.at) })) }
  },
})

const tooFar = `At most ${LONGEST_LEAP_DAYS} days at once`

/** Seconds of an ISO 8601 duration in days, hours, minutes and seconds. */
export const secondsOf = (duration: string) =>
  [...duration.matchAll(/(\d+)([DHMS])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit as keyof typeof UNITS], 0)
