import { element } from './element.ts'

const STORAGE_KEY = 'developerPanelWidth'
const WIDTHS = { least: 320, usual: 560, step: 40 }
/** The page beside the panel stays at least this wide. */
const PAGE_WIDTH = 160

const STEPS: Record<string, (width: number) => number> = {
  ArrowLeft: (width) => width + WIDTHS.step,
  ArrowRight: (width) => width - WIDTHS.step,
  Home: () => WIDTHS.least,
  End: () => Number.POSITIVE_INFINITY,
}

/** The panel's left edge, which is dragged or moved by arrow keys. The width stays in this browser. */
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
