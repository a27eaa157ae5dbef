import { queryClient } from '#web/lib/api/query.ts'
import classes from './pull-to-refresh.module.css'

/** Pixels of a pull from which its release reloads the page's data. */
const ENOUGH_PX = 110
/** Elements that handle a pull themselves. */
const OWN_PULL = '.leaflet-container, dialog, input, select, textarea'
/** For less time than this, the spinner would only flash. */
const MIN_MS = 600

/**
 * A pull at the top of a page reloads its data. Only for the portal on the home screen of an iPhone or iPad: every browser has such a
 * gesture itself, that of the installed portal on Android included. Screens with a map over the whole page follow their trackers anyway.
 */
export function followPulls() {
  const circle = document.createElement('div')
  circle.className = classes.circle ?? ''
  circle.ariaHidden = 'true'
  let start: { x: number; y: number } | null = null
  let pulled = 0

  const show = (pixels: number) => {
    pulled = pixels
    if (pixels > 0 && !circle.isConnected) document.body.append(circle)
    circle.style.setProperty('--pull', String(Math.min(1, pixels / ENOUGH_PX)))
    if (pixels <= 0) circle.remove()
  }

  async function refresh() {
    circle.dataset.busy = ''
    const pause = new Promise((done) => setTimeout(done, MIN_MS))
    await Promise.allSettled([queryClient.invalidateQueries(), pause])
    delete circle.dataset.busy
    show(0)
  }

  const isBusy = () => circle.dataset.busy !== undefined

  addEventListener('touchstart', ({ touches: [finger, second], target }) => {
    const main = target instanceof Element && !target.closest(OWN_PULL) ? target.closest('main') : null
    const canPull = main && !second && !isBusy() && !hasWholeMap(main) && isAtTop(target as Element, main)
    start = canPull && finger ? { x: finger.clientX, y: finger.clientY } : null
  })
  addEventListener(
    'touchmove',
    ({ touches: [finger] }) => {
      if (!start || !finger) return
      const [right, down] = [finger.clientX - start.x, finger.clientY - start.y]
      if (pulled === 0 && (down < 0 || Math.abs(right) > down)) start = null
      else show(Math.max(0, down))
    },
    { passive: true },
  )
  addEventListener('touchend', () => {
    if (!start) return
    start = null
    if (pulled >= ENOUGH_PX && navigator.onLine) void refresh()
    else show(0)
  })
  addEventListener('touchcancel', () => {
    start = null
    if (!isBusy()) show(0)
  })
}

const hasWholeMap = (main: Element) =>
  [...main.querySelectorAll('.leaflet-container')].some(({ clientHeight }) => clientHeight >= main.clientHeight * 0.8)

/** Whether neither the page nor a list around the finger is scrolled. */
function isAtTop(from: Element, main: Element) {
  for (let element: Element | null = from; element; element = element === main ? null : element.parentElement)
    if (element.scrollTop > 0) return false
  return true
}
