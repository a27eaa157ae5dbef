import type { LatLng } from '#contracts/rules/geo.ts'
import type { FindNearestAddress } from '#db/addresses.ts'
import type { PositionStore } from '#db/positions.ts'
import type { Viewer } from '#db/scope.ts'
import type { Speaker } from '#db/sessions.ts'
import type { Db } from '#db/sqlite/open.ts'
import type { Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import type { Live } from './live.ts'
import type { Payments } from './payments.ts'

/** Turns addresses into points and back; the demo city, or a server elsewhere. */
export type Geocoder = {
  nearest: FindNearestAddress
  /** Points of an address, best first. */
  search(text: string, limit?: number): LatLng[] | Promise<LatLng[]>
}

export type Log = {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** Everything outside the domain, by argument. Production has one world; the mock server as many as are asked for. */
export type World = {
  id: string
  db: Db
  positions: PositionStore
  clock: Clock
  ids: Ids
  payments: Payments
  geocode: Geocoder
  live: Live
  log: Log
  /** Origin of the portal, for links in e-mails and for the way back from the checkout. */
  origin: string
  /** What the product calls itself, on its papers too. */
  productName: string
  limits: { credentials: boolean }
}

/** Where a request finds its world. */
export type Worlds = {
  of(request: {
    headers: Record<string, string | string[] | undefined>
    hostname: string
    cookies: Record<string, string | undefined>
  }): World
}

export type Cookies = { set(name: string, value: string, options: { httpOnly: boolean; maxAge: number }): void }

/** What a handler of a public call gets. */
export type Outside = World & {
  cookies: Cookies
  /** The newest event that the client of a stream has seen, when it comes back. */
  lastEventId?: number
}

/** What a handler of a device's call gets. */
export type Signed = Outside & { speaker: Speaker }

/** What a handler of a signed-in call gets. */
export type Context = Outside & {
  viewer: Viewer
  /** The hash of the token they are signed in with. */
  session: string
}
