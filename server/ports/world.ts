import type { StaffRole } from '#contracts/lib/staff-rights.ts'
import type { LatLng } from '#contracts/rules/geo/coordinates.ts'
import type { PlanMoveLimits, PlanPauseLimits } from '#contracts/rules/subscription.ts'
import type { FindNearestAddress } from '#db/addresses.ts'
import type { Db } from '#db/db.ts'
import type { PositionStore } from '#db/positions.ts'
import type { Viewer } from '#db/scope.ts'
import type { AuthenticatedKey } from '#db/sessions.ts'
import type { Clock } from './clock.ts'
import type { Downlinks } from './downlinks.ts'
import type { Ids } from './ids.ts'
import type { Live } from './live.ts'
import type { Payments } from './payments.ts'
import type { Push } from './push.ts'
import type { Receivers } from './receivers.ts'

/** A tile of a map: an SVG document, or the bytes of a picture. */
export type Tile = string | Uint8Array

/** A source of map tiles for pictures; `attribution` is plain text. */
export type MapSource = { drawTile(z: number, x: number, y: number): Tile | Promise<Tile>; attribution: string }

type Labelled = LatLng & { label?: string }

/** Turns addresses into points and back: the demo city or an external server. */
export type Geocoder = {
  nearest: FindNearestAddress
  /** Points of an address, best first, with their addresses as far as known. */
  search(text: string, limit?: number): Labelled[] | Promise<Labelled[]>
  /** The current address of a point, if `nearest` finds it only later. */
  reverse?(point: LatLng): Promise<string | null>
}

export type Log = {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** Whether accounts may claim only trackers in stock, and the months of service that come with the first phone of an account. */
export type ClaimRules = { isStockOnly: boolean; phoneMonths: number }

export type SecondFactorRules = { key: Uint8Array; isRequired: boolean }

/** The server's state and its ports to the outside. Production has one world, the mock server any number. */
export type World = {
  id: string
  db: Db
  positions: PositionStore
  clock: Clock
  ids: Ids
  payments: Payments
  geocode: Geocoder
  live: Live
  /** Tiles of the map for pictures in previews, mails and forms; without it they have no map. */
  map?: MapSource
  /** Sends messages to trackers through their networks; without it nothing is sent. */
  downlinks?: Downlinks
  /** Sends notifications to browsers; without it none are sent. */
  push?: Push
  /** Sends alerts to webhooks, Telegram and ntfy; without it none are sent. */
  receivers?: Receivers
  /** Whether mails and notifications stay in the database, because nothing sends them. */
  keepsMails?: boolean
  log: Log
  /** Origin of the portal, for links in e-mails and the return from the checkout. */
  origin: string
  productName: string
  limits: { credentials: boolean }
  /** Days after its subscription until a tracker rests; null: none ever rests. */
  graceDays: number | null
  /** Whether new contacts have to agree before alert mails are sent to them. */
  asksContacts: boolean
  /** The key that encrypts the secrets of second factors, and whether support and administrators need one. */
  secondFactor: SecondFactorRules
  claims: ClaimRules
  /** How often owners move plans without support. */
  moveLimits: PlanMoveLimits
  /** How owners pause plans without support. */
  pauseLimits: PlanPauseLimits
  /** Whether customers can withdraw from contracts on the page for that. */
  withdraws?: boolean
  /** The version of the operator's terms; null or absent without terms. */
  termsVersion?: string | null
  /** Days before a rise of a price for which owners must have been told of it; the usual ones by default. */
  priceNoticeDays?: number
}

/** Finds the world of a request. */
export type Worlds = {
  of(request: {
    url: string
    headers: Record<string, string | string[] | undefined>
    hostname: string
    cookies: Record<string, string | undefined>
  }): World
}

export type Cookies = {
  set(name: string, value: string, options: { httpOnly: boolean; maxAge: number; sameSite?: 'strict' }): void
  /** Sets one of our own cookies: on https under a name that binds it to this host, replacing the plain one. */
  setForHost(name: string, value: string, options: { httpOnly: boolean; maxAge: number }): void
  expire(name: string): void
  /** Makes the browser drop its cached responses; its storage stays. */
  clearCache(): void
}

/** The origin of a request, as far as known. */
export type Caller = {
  /** Browser and system. */
  agent: string | null
  network: string | null
  /** The secret of a browser that has signed in before. */
  browser: string | null
}

/** The context of a public endpoint's handler. */
export type HandlerContext = World & {
  cookies: Cookies
  caller: Caller
  /** The last event that a reconnecting stream client has seen. */
  lastEventId?: number
}

/** The context of a device endpoint's handler. */
export type DeviceContext = HandlerContext & { deviceKey: AuthenticatedKey }

/** The context of a handler for signed-in users. */
export type ViewerContext = HandlerContext & {
  /** `email` is written to the security log. */
  viewer: Viewer & { email?: string }
  /** Hash of the session token. */
  session: string
}

/** Who acts for the company: a member of staff, another system by its key, or the operator's program. */
export type Actor = {
  /** Such as `staff:3`, `key:2` or `program`. */
  id: string
  /** Name or label. */
  who: string
  role: StaffRole
  /** Null for a key and for the program. */
  staffId: number | null
}

/** The caller's `Idempotency-Key`, and SHA-256 of its request. */
export type Repeat = { key: string; requestHash: string }

/** The context of a handler for staff. */
export type StaffContext = HandlerContext & {
  actor: Actor
  repeat?: Repeat
  /** The token of the session; absent for a key. */
  staffToken?: string
}
