import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { City } from '#server/mock/city/city.ts'
import type { Templates } from '#server/mock/worlds/templates.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { type Clock, systemClock } from '#server/ports/clock.ts'
import type { Log } from '#server/ports/world.ts'
import { mountDemo } from './extend.ts'
import { openShares } from './shares.ts'
import { createVisits } from './visits.ts'
import { createDemoWorlds } from './worlds.ts'

/** A world is played on every fifth tick: hundreds of worlds on every tick would take half a core. */
const TICKS_PER_PLAY = 5

type Options = { log: Log; wall?: Clock; city?: City; templates?: Templates }

/** Assembles the public demo: what `buildApp` and the process's clock need. */
export function demoStack(config: Config, { wall = systemClock, ...options }: Options) {
  const { city, lobby, worlds } = createDemoWorlds(config, { ...options, wall })
  const visits = createVisits(worlds, lobby, wall)
  const shares = openShares(path.join(config.DATA_DIR, 'shares'), wall)
  const { CONTROL_TOKEN: token, PRODUCT_NAME: productName } = config
  let tick = 0
  return {
    worlds: visits.worlds,
    extend: mountDemo({ visits, shares, lobby, city, token, productName, wall }),
    /** Worlds to play on this tick. */
    turn(): MockWorld[] {
      tick++
      return visits.worlds.all().filter((world, index) => world !== lobby && index % TICKS_PER_PLAY === tick % TICKS_PER_PLAY)
    },
    text: `
  The demo is running, with a world for each visitor.

    Start page     ${lobby.origin}/demo

  Stop with Ctrl-C. Limits: docs/demo.md

`,
  }
}
