import type { Page } from '@playwright/test'

/**
 * Returns the texts of the open screen that are cut off without an ellipsis, and the controls that lie on each other. A page that still
 * adapts to a new size has no problem; only what persists for a second is one.
 */
export const findCrowding = (page: Page, where: string) =>
  page.evaluate(checkCrowding).then((found) => found.map((problem) => `${where}: ${problem}`))

/** Sets the text size of the browser, and returns the texts that do not grow with it. */
export const enlargeText = (page: Page, factor: number) => page.evaluate(growText, factor)

/** Runs inside the page, so it can use nothing from this module. */
function growText(factor: number) {
  const root = document.documentElement
  root.style.fontSize = ''
  const texts = [...document.querySelectorAll<HTMLElement>('body *')].filter(
    (element) =>
      !element.closest('svg') &&
      element.checkVisibility() &&
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
  )
  const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)
  const before = texts.map(sizeOf)
  root.style.fontSize = `${factor * 100}%`
  return texts.flatMap((element, index) =>
    sizeOf(element) < before[index]! * factor - 0.5
      ? [`keeps its size: <${element.localName} ${element.className}> ${element.textContent?.trim().slice(0, 60)}`]
      : [],
  )
}

/** Runs inside the page, so it can use nothing from this module. */
async function checkCrowding() {
  const CONTROLS = 'button, a[href], input:not([type="hidden"]), select, textarea, summary, label:has(input)'
  const end = performance.now() + 1000
  let problems = findProblems()
  while (problems.length > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    problems = findProblems()
  }
  return problems

  function findProblems() {
    const front = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    return [...findCut(front), ...findOverlaps(front)]
  }

  function findCut(within: Element) {
    const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT)
    const cut: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!node.textContent?.trim() || !element?.checkVisibility() || isIgnored(element)) continue
      const clip = findClip(element)
      if (clip && reachesBeyond(node, clip)) cut.push(`cut: ${describe(element)}`)
    }
    return cut
  }

  /** The nearest element that cuts the text off; none if the text may be scrolled to, or ends with an ellipsis. */
  function findClip(element: Element) {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at)
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none' || style.display === 'contents') return null
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) return null
      if (/hidden|clip/.test(style.overflowX + style.overflowY)) return at
    }
    return null
  }

  function reachesBeyond(node: Node, clip: Element) {
    const box = clip.getBoundingClientRect()
    if (box.width <= 1 || box.height <= 1) return false
    const range = document.createRange()
    range.selectNodeContents(node)
    return [...range.getClientRects()].some(
      ({ left, right, top, bottom, width }) =>
        width > 0 && (left < box.left - 2 || right > box.right + 2 || top < box.top - 4 || bottom > box.bottom + 4),
    )
  }

  function findOverlaps(within: Element) {
    const all = [...within.querySelectorAll<HTMLElement>(CONTROLS)].filter(
      (control) =>
        control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        !isIgnored(control) &&
        !control.parentElement?.closest('label') &&
        control.getBoundingClientRect().width > 1,
    )
    const placed = all.map((control) => ({ control, box: control.getBoundingClientRect(), layer: layerOf(control) }))
    return placed.flatMap((one, index) =>
      placed
        .slice(index + 1)
        .filter((other) => one.layer === other.layer && !one.control.contains(other.control) && areOverlapping(one.box, other.box))
        .map((other) => `overlap: ${describe(one.control)} and ${describe(other.control)}`),
    )
  }

  /** One inside the other is meant: a button at the end of a field, or on a card that is a link. */
  function areOverlapping(a: DOMRect, b: DOMRect) {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    if (width <= 2 || height <= 2) return false
    const inner = (one: DOMRect) => width >= one.width - 2 && height >= one.height - 2
    return !inner(a) && !inner(b)
  }

  /** Controls of another layer may pass below: those of a list below a fixed bar. */
  function layerOf(element: Element): Element {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { position, overflowY } = getComputedStyle(at)
      if (/fixed|sticky/.test(position) || /auto|scroll/.test(overflowY) || at.localName === 'dialog') return at
    }
    return document.documentElement
  }

  /** The map draws its own content; rows out of sight are not laid out. */
  function isIgnored(element: Element) {
    return (
      element.closest('.leaflet-container, [data-map], [aria-hidden="true"], svg') !== null ||
      !element.checkVisibility({ contentVisibilityAuto: true })
    )
  }

  function describe(element: Element) {
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 50)
    return `<${element.localName} ${element.className}> ${name}`
  }
}
