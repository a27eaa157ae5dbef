import { Failure } from '#server/lib/errors.ts'
import type { World, Worlds } from '#server/lib/world.ts'
import type { MockWorld } from './world.ts'

export type WorldRequest = { id: string; seed: number; clock?: { at?: Date; mode: 'frozen' | 'flow'; rate?: number } }

export type MockWorlds = Worlds & {
  get(id: string): MockWorld | undefined
  all(): MockWorld[]
  /** Throws `world_exists`. */
  create(request: WorldRequest): Promise<MockWorld>
  reset(world: World, seed?: number): Promise<MockWorld>
  closeAll(): void
}

/** Every world of the process, `main` among them. */
export function createWorlds(main: MockWorld, make: (request: WorldRequest, old?: MockWorld) => Promise<MockWorld>): MockWorlds {
  const worlds = new Map([[main.id, main]])
  let last: Promise<unknown> = Promise.resolve()
  /** One after another: two calls at once would make two worlds of one name, or tread on the same file. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  return {
    of(request) {
      const id = worldId(request)
      const world = worlds.get(id)
      if (!world) throw new Failure('unknown_world')
      return world
    },
    get: (id) => worlds.get(id),
    all: () => [...worlds.values()],
    create: (request) =>
      inTurn(async () => {
        if (worlds.has(request.id)) throw new Failure('world_exists')
        const world = await make(request)
        worlds.set(world.id, world)
        return world
      }),
    reset: ({ id }, seed) =>
      inTurn(async () => {
        const old = worlds.get(id)!
        const { mode, rate } = old.clock.state()
        const world = await make({ id, seed: seed ?? old.seed, clock: { mode, rate } }, old)
        worlds.set(id, world)
        return world
      }),
    closeAll() {
      for (const world of worlds.values()) world.close()
    },
  }
}

/** First match wins: header, host, cookie, else `main`. */
function worldId({ headers, hostname, cookies }: Parameters<Worlds['of']>[0]) {
  const header = headers['x-world']
  if (typeof header === 'string') return header
  return /^w-([a-z0-9-]+)\.localhost(:\d+)?$/.exec(hostname)?.[1] ?? cookies.__world ?? 'main'
}
