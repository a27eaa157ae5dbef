import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { City } from '#server/mock/city/city.ts'
import type { Templates } from '#server/mock/worlds/templates.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'
import { type Clock, systemClock } from '#server/ports/clock.ts'
import type { Log } from '#server/ports/world.ts'
import { demo } from './extend.ts'
import { sharesIn } from './shares.ts'
import { createVisits } from './visits.ts'
import { demoWorlds } from './worlds.ts'

/** A world is played on every fifth tick: hundreds of worlds on every tick would take half a core. */
const TURNS = 5

type Options = { log: Log; wall?: Clock; city?: City; templates?: Templates }

/** Assembles the public demo: what `buildApp` and the process's clock need. */
export function demoStack(config: Config, { wall = systemClock, ...options }: Options) {
  const { city, lobby, worlds } = demoWorlds(config, { ...options, wall })
  const visits = createVisits(worlds, lobby, wall)
  const shares = sharesIn(path.join(config.DATA_DIR, 'shares'), wall)
  const { CONTROL_TOKEN: token, PRODUCT_NAME: productName } = config
  let tick = 0
  return {
    worlds: visits.worlds,
    extend: demo({ visits, shares, lobby, city, token, productName, wall }),
    /** Worlds to play on this tick. */
    turn(): MockWorld[] {
      tick++
      return visits.worlds.all().filter((world, index) => world !== lobby && index % TURNS === tick % TURNS)
    },
    text: `
  The demo is running, with a world for each visitor.

    Start page     ${lobby.origin}/demo

  Stop with Ctrl-C. Limits: docs/demo.md

`,
  }
}
