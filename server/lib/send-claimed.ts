/** Functions that find, claim, send and record outgoing items. */
type Outbox<Item, Result> = {
  /** Due items in sending order, at most `LIST_LIMIT`, without those to busy destinations, which wait for a slow response. */
  list(busy: string[]): Promise<Item[]>
  idOf(item: Item): number
  /** Whether a person waits for it: bulk items leave a part of the connections free for urgent ones. */
  isUrgent(item: Item): boolean
  /** Its destinations, from the narrowest to the widest, each with the number of items that may be in progress there at once. */
  destinationsOf(item: Item): { name: string; most: number }[]
  /** Reserves items for this process; resolves to those that no other process claimed first. Nothing is sent when it rejects. */
  claim(items: Item[]): Promise<Item[]>
  /** Sends one item; never rejects. `signal` is aborted after `sendMs`, or with the reason `STOPPED`. */
  send(item: Item, signal: AbortSignal): Promise<Result>
  /** Saves the results of items. Called again with the same results when it rejects. */
  record(results: Result[]): Promise<void>
  /** The effect of a result on the others: `pause` when nothing can be sent at present. */
  judge(result: Result): 'sent' | 'failed' | 'pause'
  onError(error: unknown): void
}

/** `connections`: items in progress at once; `sendMs`: time limit for sending one. */
type Options = { connections: number; sendMs: number }

/** Why `signal` is aborted when the process ends. */
export const STOPPED = 'stopped'

export const LIST_LIMIT = 200
/** The most waiting items held in memory while their destinations are busy. */
const MAX_WAITING = 1000
/** How long `stop` waits for items in progress; the process ends ten seconds after the signal. */
const STOP_MS = 8000

/**
 * Sends over several connections at once: each item is claimed before it is sent, a slow destination delays no other, and bulk items delay
 * no urgent ones. A result is recorded at once, in parallel to claims, because an item sent without a record is sent again when this
 * process is killed; results that arrive while one is recorded are recorded together after it. Items that were sent but could not be
 * recorded are remembered, so that this process does not send them again.
 */
export function createSender<Item, Result>(outbox: Outbox<Item, Result>, { connections, sendMs }: Options) {
  /** Due items in sending order. */
  let waiting: Item[] = []
  /** An item occupies its connection until its result is recorded, so that never more than `connections` are sent without a record. */
  const onTheirWay = new Map<number, Item>()
  const aborters = new Set<AbortController>()
  let unrecorded: { item: Item; result: Result }[] = []
  const sending = new Set<Promise<void>>()
  const state = {
    isStopping: false,
    isWoken: false,
    mustList: false,
    mayHaveMore: false,
    busyWhenListed: '',
    isPaused: false,
    isRecordFailing: false,
    connections,
    sent: 0,
  }
  let pumping: Promise<void> | undefined
  let recording: Promise<void> | undefined

  /** Counts items in progress by destination, with their limits. */
  function countDestinations() {
    const counts = new Map<string, { count: number; most: number }>()
    const add = (item: Item) => {
      for (const { name, most } of outbox.destinationsOf(item)) counts.set(name, { count: (counts.get(name)?.count ?? 0) + 1, most })
    }
    for (const item of onTheirWay.values()) add(item)
    return {
      add,
      isBusy: (item: Item) => outbox.destinationsOf(item).some(({ name, most }) => (counts.get(name)?.count ?? 0) >= most),
      listBusy: () => [...counts].flatMap(([name, { count, most }]) => (count >= most ? [name] : [])),
    }
  }

  async function list() {
    state.mustList = false
    const destinations = countDestinations()
    const busy = destinations.listBusy()
    const due = await outbox.list(busy)
    const listed = new Set(due.map(outbox.idOf))
    const stillBusy = waiting.filter((item) => !listed.has(outbox.idOf(item)) && destinations.isBusy(item))
    waiting = [...due, ...stillBusy].filter((item) => !onTheirWay.has(outbox.idOf(item))).slice(0, MAX_WAITING)
    state.busyWhenListed = busy.join()
    state.mayHaveMore = due.length >= LIST_LIMIT || busy.length > 0
  }

  /** Removes the items from `waiting` whose destination is free. */
  function takeNext() {
    if (!hasRoom()) return []
    const taken: Item[] = []
    const destinations = countDestinations()
    const reserved = Math.floor(state.connections / 4)
    let bulk = [...onTheirWay.values()].filter((item) => !outbox.isUrgent(item)).length
    waiting = waiting.filter((item) => {
      const isUrgent = outbox.isUrgent(item)
      if (onTheirWay.size + taken.length >= state.connections) return true
      if ((!isUrgent && bulk >= state.connections - reserved) || destinations.isBusy(item)) return true
      destinations.add(item)
      taken.push(item)
      if (!isUrgent) bulk++
      return false
    })
    return taken
  }

  /** Whether more may be found now that other destinations are busy. */
  const mustLookFurther = () => hasRoom() && state.mayHaveMore && countDestinations().listBusy().join() !== state.busyWhenListed

  const hasRoom = () => !state.isStopping && !state.isPaused && !state.isRecordFailing && onTheirWay.size < state.connections

  async function recordResults() {
    try {
      while (unrecorded.length > 0) {
        const results = [...unrecorded]
        await outbox.record(results.map(({ result }) => result))
        unrecorded = unrecorded.slice(results.length)
        for (const { item } of results) onTheirWay.delete(outbox.idOf(item))
        state.isRecordFailing = false
        if (state.mayHaveMore && waiting.length === 0) state.mustList = true
        wake()
      }
    } catch (error) {
      state.isRecordFailing = true
      outbox.onError(error)
    } finally {
      recording = undefined
    }
  }

  function record() {
    if (unrecorded.length > 0) recording ??= recordResults()
    return recording
  }

  /** Lists, claims and starts items until there is nothing more to do before the next record. */
  async function pump() {
    for (;;) {
      if (hasRoom() && state.mustList) await list()
      const next = takeNext()
      if (next.length > 0) for (const item of await outbox.claim(next)) start(item)
      else if (mustLookFurther()) state.mustList = true
      else return
    }
  }

  async function pumpWhileWoken() {
    try {
      while (state.isWoken) {
        state.isWoken = false
        await pump()
      }
    } catch (error) {
      outbox.onError(error)
    } finally {
      pumping = undefined
    }
  }

  function wake() {
    state.isWoken = true
    pumping ??= pumpWhileWoken()
  }

  function start(item: Item) {
    onTheirWay.set(outbox.idOf(item), item)
    const aborter = new AbortController()
    aborters.add(aborter)
    const timer = setTimeout(() => aborter.abort(), sendMs)
    const done = outbox.send(item, aborter.signal).then((result) => {
      clearTimeout(timer)
      aborters.delete(aborter)
      unrecorded.push({ item, result })
      const effect = outbox.judge(result)
      if (effect === 'sent') state.sent++
      // During a pause one item at a time tests whether the others can be sent again.
      if (effect === 'pause') state.isPaused = true
      state.connections = effect === 'pause' ? 1 : connections
      sending.delete(done)
      void record()
    })
    sending.add(done)
  }

  async function untilIdle() {
    while (pumping || recording || sending.size > 0) await Promise.all([pumping, recording, ...sending])
  }

  return {
    /** Looks for due items; resolves to the number sent once none is in progress. */
    async run() {
      const before = state.sent
      state.isPaused = false
      state.mustList = true
      void record()
      wake()
      await untilIdle()
      return state.sent - before
    },
    /**
     * Stops claiming and waits for items in progress; those that take too long are aborted, and sent again once their claim has expired.
     */
    async stop() {
      state.isStopping = true
      const timer = setTimeout(() => {
        for (const aborter of aborters) aborter.abort(STOPPED)
      }, STOP_MS)
      await untilIdle()
      clearTimeout(timer)
      await record()
    },
  }
}
