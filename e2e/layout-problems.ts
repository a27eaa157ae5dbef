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
  // Hidden elements are laid out as before, but not painted.
  document.documentElement.style.opacity = '0'
  for (const { language, title } of wanted) {
    await switchLanguage(language, title)
    // A page that still adapts to a new size or language on a busy machine has no problem; only what persists for a second is one.
    const end = performance.now() + 1000
    let problems = findProblems(language, title)
    while (problems.length > 0 && performance.now() < end) {
      await pause(50)
      problems = findProblems(language, title)
    }
    const where = `${language} ${innerWidth}`
    found.push(...problems.map((problem) => `${where}: ${problem}`))
    for (const word of document.body.innerText.match(/\b[a-z]\w*(?:\.\w+)+/gi) ?? []) dotted.push({ where, word })
  }
  document.documentElement.style.opacity = ''
  return { found, dotted }

  function findProblems(language: string, title: string) {
    const problems: string[] = []
    const root = document.documentElement
    if (document.title !== title) problems.push(`its title is ${document.title}`)
    if (root.lang !== language) problems.push(`it is marked as ${root.lang}`)
    if (root.scrollWidth > innerWidth) problems.push(`it is ${root.scrollWidth} px wide`)
    for (const word of document.body.innerText.match(/\{\{.*?\}\}|\bNaN\b|\bundefined\b|Invalid Date/g) ?? [])
      problems.push(`it shows ${word}`)
    for (const box of document.querySelectorAll('main, dialog')) {
      if (box.scrollWidth > box.clientWidth + 1)
        problems.push(`<${box.localName}> scrolls sideways to show ${describeElement(widestIn(box))}`)
    }
    for (const element of document.querySelectorAll<HTMLElement>(TEXT))
      if (isCut(element)) problems.push(`cut: ${describeElement(element)}`)
    for (const element of document.querySelectorAll<HTMLElement>(PLACED))
      if (isOutside(element)) problems.push(`outside: ${describeElement(element)}`)
    return problems
  }

  async function switchLanguage(language: string, title: string) {
    const isSwitched = () => document.title === title && document.documentElement.lang === language
    if (isSwitched()) return
    localStorage.setItem('language', language)
    dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: language }))
    await waitForHead(isSwitched)
    await document.fonts.ready
    await frame()
  }

  /** Waits at most five seconds. Most languages are applied before the next frame, so waiting for frames would take twice as long. */
  function waitForHead(isReady: () => boolean) {
    return new Promise<void>((resolve) => {
      const end = () => {
        observer.disconnect()
        clearTimeout(timer)
        resolve()
      }
      const observer = new MutationObserver(() => isReady() && end())
      const timer = setTimeout(end, 5000)
      observer.observe(document.documentElement, { attributes: true })
      observer.observe(document.head, { subtree: true, childList: true, characterData: true })
      if (isReady()) end()
    })
  }

  function pause(ms: number) {
    return new Promise((resolve) => setTimeout(resolve, ms))
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

  /** Map markers move with the map, and reach beyond their pictures, so that fingers hit them. */
  function isOnMap(element: Element) {
    return element.closest('.leaflet-container, [data-map]') !== null
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
