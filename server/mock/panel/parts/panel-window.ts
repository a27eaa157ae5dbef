import { element } from './element.ts'
import { style } from './style.ts'

const NAME = 'developer-panel'
const SIZE = 'popup,width=560,height=860'
/** The parts of the portal's theme that the panel uses. */
const VARIABLES = [...new Set(style.match(/--[\w-]+/g))].filter((name) => name !== '--width')

let own: { window: Window; close: () => void } | undefined

/** The clipboard of the window that the panel is in: browsers write only from the window with the focus. */
export const clipboard = () => (own?.window ?? window).navigator.clipboard

/**
 * Closes the panel's own window before the page leaves its origin, because no page could control it afterwards. Returns whether there was
 * one.
 */
export function closePanelWindow() {
  own?.close()
  return own !== undefined
}

/**
 * Opens the panel's own window, or finds it again after a page load. Its scripts are those of the page, so it acts on the page and follows
 * its world. Null if the browser blocks it.
 */
export function openPanelWindow(onClosed: () => void) {
  const opened = window.open('', NAME, SIZE)
  if (!opened) return null
  const place = opened.document
  const host = place.createElement('developer-panel')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createSheet(opened as Window & typeof globalThis)]
  place.title = `Developer panel – ${location.host}`
  place.documentElement.lang = 'en'
  place.body.style.margin = '0'
  place.body.replaceChildren(host)
  const copyTheme = () => {
    const from = getComputedStyle(document.documentElement)
    const to = place.documentElement.style
    for (const name of VARIABLES) to.setProperty(name, from.getPropertyValue(name))
    to.background = 'var(--bg)'
    to.colorScheme = from.colorScheme
  }
  copyTheme()
  const theme = new MutationObserver(copyTheme)
  theme.observe(document.documentElement, { attributes: true })
  const gone = new AbortController()
  opened.addEventListener('pagehide', onClosed, { signal: gone.signal })
  addEventListener('pagehide', leaveNote, { signal: gone.signal })

  function leaveNote() {
    gone.abort()
    const note = place.createElement('p')
    note.className = 'page'
    note.textContent = 'The page of this panel is closed or loads.'
    root.replaceChildren(note)
  }
  const close = () => {
    gone.abort()
    theme.disconnect()
    opened.close()
  }
  own = { window: opened, close }
  return {
    root,
    close() {
      own = undefined
      close()
    },
  }
}

function createSheet({ CSSStyleSheet: Sheet }: typeof globalThis) {
  const sheet = new Sheet()
  sheet.replaceSync(style)
  return sheet
}

const STORAGE_KEY = 'developerPanelWidth'
const WIDTHS = { least: 320, usual: 560, step: 40 }
/** Minimum width of the page next to the panel. */
const PAGE_WIDTH = 160

const STEPS: Record<string, (width: number) => number> = {
  ArrowLeft: (width) => width + WIDTHS.step,
  ArrowRight: (width) => width - WIDTHS.step,
  Home: () => WIDTHS.least,
  End: () => Number.POSITIVE_INFINITY,
}

/** The panel's left edge, which is moved by dragging or by arrow keys. This browser remembers the width. */
export function createWidthGrip(panel: HTMLElement) {
  const grip: HTMLElement = element('div', {
    class: 'grip',
    role: 'separator',
    tabindex: '0',
    'aria-orientation': 'vertical',
    'aria-label': 'Width of the panel',
    onpointerdown: (event) => grip.setPointerCapture((event as PointerEvent).pointerId),
    onpointermove: (event) => {
      const { pointerId, clientX } = event as PointerEvent
      if (grip.hasPointerCapture(pointerId)) change(innerWidth - clientX)
    },
    ondblclick: () => change(WIDTHS.usual),
    onkeydown: (event) => {
      const step = STEPS[(event as KeyboardEvent).key]
      if (!step) return
      event.preventDefault()
      change(step(Number(grip.getAttribute('aria-valuenow'))))
    },
  })
  const apply = (wanted: number) => {
    const most = Math.max(WIDTHS.least, innerWidth - PAGE_WIDTH)
    const width = Math.round(Math.min(most, Math.max(WIDTHS.least, wanted)))
    panel.style.setProperty('--width', `${width}px`)
    for (const [name, value] of Object.entries({ valuemin: WIDTHS.least, valuemax: most, valuenow: width }))
      grip.setAttribute(`aria-${name}`, String(value))
    return width
  }
  const change = (wanted: number) => localStorage.setItem(STORAGE_KEY, String(apply(wanted)))
  apply(Number(localStorage.getItem(STORAGE_KEY)) || WIDTHS.usual)
  return grip
}
