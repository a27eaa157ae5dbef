import type { NewFault } from '#contracts/mock/faults.ts'
import type { ScenarioKey } from '#contracts/mock/scenarios.ts'
import { PRICE_NOTICE_DAYS } from '#contracts/rules/prices/price-changes.ts'
import { GRACE_DAYS } from '#contracts/rules/service.ts'
import { PLAN_MOVES, PLAN_PAUSES, type PlanMoveLimits, type PlanPauseLimits } from '#contracts/rules/subscription.ts'
import { DAY_MS } from '#contracts/rules/time.ts'
import { openSqlite, type SqliteDb } from '#db/sqlite/open.ts'
import type { City } from '#server/mock/city/index.ts'
import { publishAlerts, publishJobs, withClockEvents, withMailEvents } from '#server/mock/events/event-sources.ts'
import { createEvents, type Events } from '#server/mock/events/events.ts'
import { createFaults, type Faults, SEEDED_FAULTS } from '#server/mock/faults/faults.ts'
import { createJournal, type Journal } from '#server/mock/journal/journal.ts'
import { createSeededIds, type SeededIds } from '#server/mock/lib/seeded-ids.ts'
import { type ClockChange, type ClockMode, createVirtualClock, type VirtualClock } from '#server/mock/lib/virtual-clock.ts'
import { createNetworkFake, type NetworkFake } from '#server/mock/networks/network-fake.ts'
import { isForPortal } from '#server/mock/payments/deliver-events.ts'
import { loadFromDatabase } from '#server/mock/payments/load-from-database.ts'
import { createChannelPlayer } from '#server/mock/receivers/deliver-in-world.ts'
import { createReceiverFake, type ReceiverFake } from '#server/mock/receivers/receiver-fake.ts'
import { DEVELOPMENT_KEY } from '#server/mock/seed/records/second-factor.ts'
import { createSimulator, type Simulator } from '#server/mock/simulator/simulator.ts'
import { createStripeFake, type MockStripe, withWebhookQueue } from '#server/mock/stripe/index.ts'
import { mapOf } from '#server/mock/tiles/render.ts'
import { type Clock, systemClock } from '#server/ports/clock.ts'
import type { Ids } from '#server/ports/ids.ts'
import { createLive } from '#server/ports/live.ts'
import type { Log, SecondFactorRules, World } from '#server/ports/world.ts'
import { sendRequestedModes } from '#server/tracking/networks/downlinks.ts'
import { createPaymentPlayer, createPlayer, type PlayResult } from './play.ts'
import { PUSH_FAKE } from './push-fake.ts'
import { keepSessions } from './worlds.store.ts'

export type Storage = 'memory' | 'file'
/** The number of generated ids is known only for seeded ones. */
type MockIds = Ids & Partial<Pick<SeededIds, 'count'>>

/** Months of service that come with the first phone of an account. */
const PHONE_MONTHS = 12

/** A world of the mock server: its clock can be moved, and its trackers move by themselves. */
export type MockWorld = World & {
  db: SqliteDb
  seed: number
  scenario: string
  /** Number of trackers, for scenarios that take a size; otherwise null. */
  size: number | null
  storage: Storage
  ids: MockIds
  clock: VirtualClock
  stripe: MockStripe
  simulator: Simulator
  faults: Faults
  events: Events
  journal: Journal
  networks: NetworkFake
  receivers: ReceiverFake
  /**
   * Runs trackers and jobs up to the world's time, after the clock was set as `move` says. Calls are queued; a closed world ignores them.
   */
  play(move?: (now: Date) => ClockChange): Promise<PlayResult>
  /** Changes the origin of the portal and of the payment pages. */
  setOrigin(origin: string): void
  close(): void
}

export type MockWorldOptions = {
  id: string
  db: SqliteDb
  city: City
  seed: number
  anchor: Date
  scenario?: string
  size?: number | null
  storage?: Storage
  origin: string
  log: Log
  clock?: { at?: Date; mode: ClockMode; rate?: number }
  ids?: MockIds
  /** Initial faults that replace those of the scenario. */
  faults?: readonly NewFault[] | null
  wall?: Clock
  productName?: string
  limits?: { credentials: boolean }
  /** Days of grace; that of production by default. */
  graceDays?: number | null | undefined
  /** Whether new contacts have to agree before alert mails; not by default. */
  asksContacts?: boolean | undefined
  withdraws?: boolean | undefined
  secondFactor?: Partial<SecondFactorRules>
  /** Trackers that accounts may claim; default: any. */
  claims?: 'stock' | 'any' | null | undefined
  phoneMonths?: number | undefined
  moveLimits?: PlanMoveLimits | undefined
  pauseLimits?: PlanPauseLimits | undefined
  termsVersion?: string | null | undefined
  priceNoticeDays?: number | undefined
  journal?: Journal | undefined
  /** Whether everything due at the time of the database has happened. */
  isSettled?: boolean
  onClose?: () => void
}

export function createWorld(options: MockWorldOptions): MockWorld {
  const { id, city, seed, anchor, origin, log, scenario = 'family', productName = 'Whereabouts', limits = { credentials: true } } = options
  const events = createEvents()
  const db = withMailEvents(options.db, events)
  const start = { at: options.clock?.at ?? anchor, mode: options.clock?.mode ?? 'frozen', rate: options.clock?.rate ?? 1 }
  const clock = withClockEvents(createVirtualClock(options.wall ?? systemClock, start), events)
  const ids = options.ids ?? createSeededIds(seed)
  const fake = createStripeFake({ clock, ids, origin }, (provider) => loadFromDatabase(provider, db.read))
  const stripe = withWebhookQueue(fake, {
    clock,
    seed,
    isForHost: isForPortal,
    onDelivery: (delivery) => events.publish('webhook', delivery),
  })
  const networks = createNetworkFake({ clock, events })
  const receivers = createReceiverFake({ clock, events })
  let isOpen = true
  const world: World & { db: SqliteDb } = {
    id,
    db,
    positions: db.positions,
    clock,
    ids,
    payments: stripe.payments,
    geocode: city,
    map: mapOf(city),
    live: createLive(db),
    downlinks: networks,
    push: PUSH_FAKE,
    keepsMails: true,
    receivers,
    log: muteWhenClosed(log, () => isOpen),
    origin,
    productName,
    limits,
    asksContacts: options.asksContacts ?? false,
    graceDays: options.graceDays === undefined ? GRACE_DAYS.usual : options.graceDays,
    withdraws: options.withdraws ?? true,
    secondFactor: { key: DEVELOPMENT_KEY, isRequired: false, ...options.secondFactor },
    moveLimits: options.moveLimits ?? PLAN_MOVES,
    pauseLimits: options.pauseLimits ?? PLAN_PAUSES,
    claims: { isStockOnly: options.claims === 'stock', phoneMonths: options.phoneMonths ?? PHONE_MONTHS },
    termsVersion: options.termsVersion ?? null,
    priceNoticeDays: options.priceNoticeDays ?? PRICE_NOTICE_DAYS.usual,
  }
  publishAlerts(db, events)
  sendRequestedModes(world)
  const sendToChannels = createChannelPlayer({ ...world, receivers })
  receivers.wake = () => ignoreWhenClosed(sendToChannels(clock.now()), () => isOpen)
  db.onEvent(({ type }) => {
    if (type === 'alert') void receivers.wake?.()
  })
  const simulator = createSimulator({ world, city, seed, anchor })
  const playTo = createPlayer({
    world,
    simulator,
    payments: createPaymentPlayer(world, stripe),
    sendToChannels,
    anchor,
    isSettled: options.isSettled ?? false,
  })
  let last: Promise<unknown> = Promise.resolve()
  let keptAt = start.at
  const opened: MockWorld = {
    ...world,
    seed,
    scenario,
    size: options.size ?? null,
    storage: options.storage ?? 'memory',
    ids,
    clock,
    stripe,
    simulator,
    faults: createFaults(seed, options.faults ?? SEEDED_FAULTS[scenario as ScenarioKey]),
    events,
    networks,
    receivers,
    journal: createJournal(events, options.journal),
    play(move) {
      const result = last.then(async () => {
        if (!isOpen) return NOTHING_PLAYED
        const change = move?.(clock.now())
        const now = change?.at ?? clock.now()
        if (now.getTime() - keptAt.getTime() >= DAY_MS) {
          await keepSessions(db, now)
          keptAt = now
        }
        if (change) clock.set(change)
        const played = await playTo(clock.now())
        publishJobs(played.fired, events)
        return played
      })
      last = result.catch(() => undefined)
      return result.catch((error) => {
        if (isOpen) throw error
        return NOTHING_PLAYED
      })
    },
    setOrigin(to) {
      opened.origin = to
      stripe.setOrigin(to)
    },
    close() {
      if (!isOpen) return
      isOpen = false
      world.live.close()
      events.close()
      db.close()
      options.onClose?.()
    },
  }
  return opened
}

const NOTHING_PLAYED: PlayResult = { positions: 0, fired: [] }

const ignoreWhenClosed = (work: Promise<void>, isOpen: () => boolean) =>
  work.catch((error) => {
    if (isOpen()) throw error
  })

/** Errors of a closing world are not logged. */
const muteWhenClosed = (log: Log, isOpen: () => boolean): Log => ({
  info: (data, message) => isOpen() && log.info(data, message),
  warn: (data, message) => isOpen() && log.warn(data, message),
  error: (data, message) => isOpen() && log.error(data, message),
})

export const cloneWorld = (template: Buffer, options: Omit<MockWorldOptions, 'db'>) => createWorld({ ...options, db: openSqlite(template) })
