import type { Page } from '@playwright/test'

export type TitleByLanguage = { language: string; title: string }

/**
 * Returns the layout problems of the open screen in each language, and the translation keys it shows. Another tab's language change is
 * simulated, so the page need not reload.
 */
export async function findLayoutProblems(page: Page, wanted: TitleByLanguage[], keys: ReadonlySet<string>) {
  const { found, dotted } = await page.evaluate(checkEachLanguage, wanted)
  return [...found, ...dotted.filter(({ word }) => keys.has(word)).map(({ where, word }) => `${where}: it shows ${word}`)]
}

/** Runs inside the page, so it can use nothing from this module. The thousands of keys stay outside: sending them takes longer. */
async function checkEachLanguage(wanted: TitleByLanguage[]) {
  const TEXT = 'button, button *, a, a *, h1, h1 *, h2, h2 *, h3, h3 *, th, label, label *, legend, summary, [role="tab"]'
  const PLACED = 'button, a, input, select, textarea, h1, h2, h3, p'
  const found: string[] = []
  const dotted: { where: string; word: string }[] = []
  // What is invisible is laid out as ever, but not painted.
  document.documentElement.style.opacity = '0'
  for (const { language, title } of wanted) {
    await switchLanguage(language, title)
    const where = `${language} ${innerWidth}`
    const report = (problem: string) => found.push(`${where}: ${problem}`)
    if (document.title !== title) report(`its title is ${document.title}`)
    const root = document.documentElement
    if (root.lang !== language) report(`it is marked as ${root.lang}`)
    if (root.scrollWidth > innerWidth) report(`it is ${root.scrollWidth} px wide`)
    const text = document.body.innerText
    for (const word of text.match(/\{\{.*?\}\}|\bNaN\b|\bundefined\b|Invalid Date/g) ?? []) report(`it shows ${word}`)
    for (const word of text.match(/\b[a-z]\w*(?:\.\w+)+/gi) ?? []) dotted.push({ where, word })
    for (const box of document.querySelectorAll('main, dialog')) {
      if (box.scrollWidth > box.clientWidth + 1) report(`<${box.localName}> scrolls sideways to show ${describeElement(widestIn(box))}`)
    }
    for (const element of document.querySelectorAll<HTMLElement>(TEXT)) if (isCut(element)) report(`cut: ${describeElement(element)}`)
    for (const element of document.querySelectorAll<HTMLElement>(PLACED))
      if (isOutside(element)) report(`outside: ${describeElement(element)}`)
  }
  document.documentElement.style.opacity = ''
  return { found, dotted }

  async function switchLanguage(language: string, title: string) {
    if (document.title === title && document.documentElement.lang === language) return
    localStorage.setItem('language', language)
    dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: language }))
    const end = performance.now() + 5000
    while ((document.title !== title || document.documentElement.lang !== language) && performance.now() < end) await pause()
    await document.fonts.ready
    await frame()
  }

  /** Most languages are there before the next frame, so waiting for frames would take twice as long. */
  function pause() {
    return new Promise((resolve) => setTimeout(resolve, 1))
  }

  function frame() {
    return new Promise((resolve) => requestAnimationFrame(resolve))
  }

  function describeElement(element: Element) {
    return `<${element.localName} ${element.className}> ${element.textContent?.trim().slice(0, 60)}`
  }

  /** The element that reaches farthest to the right, ignoring those that are clipped or scrolled. */
  function widestIn(box: Element) {
    const free = [...box.querySelectorAll('*')].filter((element) => {
      for (let at = element.parentElement; at && at !== box; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible') return false
      return true
    })
    return free.reduce((widest, element) => (rightEdge(element) > rightEdge(widest) ? element : widest), box)
  }

  function rightEdge(element: Element) {
    return element.getBoundingClientRect().right
  }

  /** Map markers move with the map. */
  function isOnMap(element: Element) {
    return element.closest('.leaflet-container') !== null
  }

  /** Whether the text of an element is cut without an ellipsis. */
  function isCut(element: HTMLElement) {
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element
    if (clientWidth <= 1 || (scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 4) || isOnMap(element)) return false
    const style = getComputedStyle(element)
    if (style.display === 'inline' || style.visibility === 'hidden' || style.textOverflow === 'ellipsis') return false
    return scrollWidth > clientWidth + 1 || style.overflowY === 'hidden'
  }

  /** Beyond the edge of the window, outside any scroll container. */
  function isOutside(element: HTMLElement) {
    const { left, right, width, height } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1 || (left >= -1 && right <= innerWidth + 1) || isOnMap(element)) return false
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return false
    }
    return true
  }
}
