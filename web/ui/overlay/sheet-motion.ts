/** Pixels per millisecond from which a release is a flick. */
const FLICK = 0.4
/** A shorter drag, in pixels, is a tap. */
const SLOP_PX = 4
/** Rate at which the spring comes to rest, per millisecond: about 350 ms for half a screen. */
const SPRING = 0.02
/** Samples older than this, in milliseconds, don't count for the velocity of a release. */
const RECENT_MS = 80

/** Parts that always drag the sheet; the rest of the content does so only when it is scrolled to its top. */
const GRIPS = 'header, [data-grip]'
/** Elements that handle a drag themselves. */
const OWN_DRAG = 'dialog, input, select, textarea, .leaflet-container'
/** Elements on which a mouse press does not start a drag. */
const PRESSED = `${OWN_DRAG}, a, button:not([data-grip]), fieldset`

/** Index of the detent closest to `share`. */
const nearestStop = (stops: readonly number[], share: number) =>
  stops.reduce((best, stop, index) => (Math.abs(stop - share) < Math.abs((stops[best] ?? 0) - share) ? index : best), 0)

/** Index of the detent for a release at `share`: the next one in the direction of a flick, else the closest. Pixels per ms, upwards. */
export function chooseStop(stops: readonly number[], share: number, velocity: number) {
  if (Math.abs(velocity) <= FLICK) return nearestStop(stops, share)
  const next = velocity > 0 ? stops.findIndex((stop) => stop > share) : stops.findLastIndex((stop) => stop < share)
  return next >= 0 ? next : velocity > 0 ? stops.length - 1 : 0
}

/** Distance that the sheet moves beyond its last detent when the pointer is `pixels` beyond it; never more than 60 pixels. */
const resist = (pixels: number) => 60 * (1 - 1 / (pixels / 110 + 1))

type Drag = { x: number; y: number; from: number; target: Element; state: 'possible' | 'grip' | 'on'; samples: { y: number; at: number }[] }
type Stops = { stops: readonly number[]; at: number }
type Options = {
  read: () => Stops
  /** Receives the index of the chosen detent. */
  onStop: (stop: number) => void
  /** Pixels of which the detents are shares; by default the height of the sheet's container. */
  height?: () => number
}

/**
 * Moves a sheet with the finger and lets it come to rest at a detent. While it moves it has the height of its highest detent and only its
 * `transform` changes, so nothing is laid out; its own height follows at rest. A press interrupts the movement.
 */
export function createSheetMotion(sheet: HTMLElement, { read, onStop, height = () => sheet.parentElement?.clientHeight ?? 0 }: Options) {
  const listening = new AbortController()
  let drag: Drag | null = null
  let frame = 0
  let rest = shareAtRest()
  /** Heights in pixels, valid while the sheet moves. */
  let [full, shown] = [0, 0]
  let wasDragged = false

  function shareAtRest() {
    const { stops, at } = read()
    return stops[at] ?? 0.5
  }

  const isMoving = () => sheet.dataset.moving !== undefined
  const top = () => Math.max(...read().stops) * full

  function lift() {
    if (isMoving()) return
    full = height()
    sheet.dataset.moving = ''
    show(rest * full)
  }

  function show(pixels: number) {
    shown = pixels
    sheet.style.transform = `translateY(${top() - pixels}px)`
  }

  function land() {
    cancelAnimationFrame(frame)
    delete sheet.dataset.moving
    sheet.style.transform = ''
  }

  /** Springs to a share of the height, starting with a velocity in pixels per millisecond. */
  function moveTo(share: number, velocity = 0) {
    cancelAnimationFrame(frame)
    rest = share
    const target = share * full
    const offset = shown - target
    if (Math.abs(offset) < 1 || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return land()
    let start: number | undefined
    const step = (now: number) => {
      start ??= now
      const ms = now - start
      const left = (offset + (velocity + SPRING * offset) * ms) * Math.exp(-SPRING * ms)
      if (ms > 100 && Math.abs(left) < 0.5) return land()
      show(target + left)
      frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
  }

  function press(x: number, y: number, at: number, target: EventTarget | null) {
    wasDragged = false
    if (!(target instanceof Element) || ![null, sheet].includes(target.closest(OWN_DRAG))) return
    const state = target.closest(GRIPS) ? 'grip' : 'possible'
    drag = { x, y, from: rest, target, state, samples: [{ y, at }] }
    if (!isMoving()) return
    cancelAnimationFrame(frame)
    begin(drag, y)
  }

  /** Whether neither the content nor a part of it is scrolled down, so that a drag down has nothing else to do. */
  function isAtTop(target: Element) {
    for (let part: Element | null = target; part && part !== sheet.parentElement; part = part.parentElement)
      if (part.scrollTop > 0) return false
    return true
  }

  function begin(drag: Drag, y: number) {
    lift()
    Object.assign(drag, { y, from: shown, state: 'on' })
  }

  /** Decides after the first pixels of a drag whether it moves the sheet, scrolls the content, or goes sideways. */
  function mayBegin({ state, target }: Drag, right: number, down: number) {
    if (Math.abs(right) > Math.abs(down)) return false
    const { stops, at } = read()
    return state === 'grip' || (isAtTop(target) && (down > 0 || at < stops.length - 1))
  }

  /** Returns whether the sheet handles the movement. */
  function move(x: number, y: number, at: number) {
    if (!drag) return false
    if (drag.state !== 'on') {
      const [right, down] = [x - drag.x, y - drag.y]
      if (Math.hypot(right, down) < SLOP_PX) return false
      if (!mayBegin(drag, right, down)) {
        drag = null
        return false
      }
      begin(drag, drag.y)
    }
    wasDragged = true
    drag.samples.push({ y, at })
    const [low, high] = [Math.min(...read().stops) * full, top()]
    const wanted = drag.from + drag.y - y
    show(wanted > high ? high + resist(wanted - high) : wanted < low ? low - resist(low - wanted) : wanted)
    return true
  }

  function release(at: number) {
    const ended = drag
    drag = null
    if (ended?.state !== 'on') return
    const recent = ended.samples.filter((sample) => at - sample.at <= RECENT_MS)
    const [first, last] = [recent[0], recent.at(-1)]
    const velocity = first && last && last.at > first.at ? (first.y - last.y) / (last.at - first.at) : 0
    const { stops } = read()
    const stop = chooseStop(stops, shown / (full || 1), velocity)
    moveTo(stops[stop] ?? rest, velocity)
    onStop(stop)
  }

  const listen = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: HTMLElementEventMap[Name]) => void) =>
    sheet.addEventListener(name, act, { signal: listening.signal, passive: false })

  // Fingers use touch events, because only they can decide between dragging and scrolling after the drag has begun.
  const isFinger = ({ pointerType }: PointerEvent) => pointerType === 'touch' || pointerType === 'pen'
  listen('touchstart', ({ touches: [finger, second], timeStamp, target }) => {
    if (finger && !second) press(finger.clientX, finger.clientY, timeStamp, target)
  })
  listen('touchmove', (event) => {
    const finger = event.touches[0]
    if (finger && move(finger.clientX, finger.clientY, event.timeStamp) && event.cancelable) event.preventDefault()
  })
  for (const name of ['touchend', 'touchcancel'] as const) listen(name, ({ timeStamp }) => release(timeStamp))
  listen('pointerdown', (event) => {
    if (isFinger(event) || event.button > 0 || !(event.target instanceof Element) || event.target.closest(PRESSED)) return
    if (!event.target.closest(GRIPS)) return
    press(event.clientX, event.clientY, event.timeStamp, event.target)
    event.target.setPointerCapture?.(event.pointerId)
  })
  listen('pointermove', (event) => !isFinger(event) && move(event.clientX, event.clientY, event.timeStamp))
  for (const name of ['pointerup', 'pointercancel'] as const) listen(name, (event) => !isFinger(event) && release(event.timeStamp))

  return {
    /** Follows a detent that was chosen in another way, e.g. by a key. */
    follow() {
      const share = shareAtRest()
      if (share === rest || drag?.state === 'on') return
      lift()
      moveTo(share)
    },
    /** Whether the last press was a drag, so that the click after it doesn't count. */
    wasDragged: () => wasDragged,
    end() {
      listening.abort()
      land()
    },
  }
}
