import type { mock as contract } from '#contracts/mock.ts'
import { wire } from '#contracts/rules/instant.ts'
import { PERSONAS } from '#db/seed/personas.ts'
import { invalid } from '#server/lib/errors.ts'
import type { Handlers } from '#server/lib/serve.ts'
import { signInAs } from '#server/sessions/sign-in.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { MockWorld } from './world.ts'
import type { MockWorlds } from './worlds.ts'

const DEFAULT_SEED = 1
const SECOND = 1000
/** All that falls due on the way is played: a leap of centuries would never end. */
const LONGEST_LEAP_DAYS = 400
const UNITS = { D: 86_400, H: 3600, M: 60, S: 1 } as const

/** The control plane: what tests and visitors may do to a world. */
export const controls = (worlds: MockWorlds): Handlers<typeof contract> => ({
  async createWorld({ body }, { ids }) {
    const { at, mode = 'frozen', rate } = body.clock ?? {}
    const id = body.id ?? ids.uuid().slice(0, 8)
    return stateOf(
      await worlds.create({ id, seed: body.seed ?? DEFAULT_SEED, clock: { mode, ...(at && { at: new Date(at) }), ...(rate && { rate }) } }),
    )
  },
  reset: async ({ body }, { id }) => stateOf(await worlds.reset(worlds.get(id)!, body.seed)),
  clock: (_, { id }) => timeOf(worlds.get(id)!.clock),
  async setClock({ body }, { id }) {
    const world = worlds.get(id)!
    const last = world.clock.now().getTime() + LONGEST_LEAP_DAYS * UNITS.D * SECOND
    if (body.at && Date.parse(body.at) > last) throw invalid('at', tooFar)
    await world.play(() => world.clock.set({ ...body, at: body.at ? new Date(body.at) : undefined }))
    return timeOf(world.clock)
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

const timeOf = (clock: VirtualClock) => ({ ...clock.state(), now: wire(clock.now()) })

async function stateOf(world: MockWorld) {
  const personas = []
  for (const { key, email, password, role } of PERSONAS) personas.push({ key, email, password, role, token: await signInAs(world, email) })
  return { id: world.id, base_url: world.origin, personas, clock: timeOf(world.clock) }
}

/** Seconds of an ISO 8601 duration in days, hours, minutes and seconds. */
export const secondsOf = (duration: string) =>
  [...duration.matchAll(/(\d+)([DHMS])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit as keyof typeof UNITS], 0)
