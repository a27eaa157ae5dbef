const PLAIN = 'aceinorsuyzACEINORSUYZ'
const MARKED = 'åçéîñöŕšûýžÅÇÉÎÑÖŔŠÛÝŽ'
const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt']
const WORD = /\p{L}{2}/u

/** Lengthens a text by a third, accents its letters and brackets it, so that cut-off or concatenated text is visible. */
export function toPseudoText(text: string) {
  const trimmed = text.trim()
  if (!WORD.test(trimmed)) return text
  const marked = [...trimmed].map((letter) => MARKED[PLAIN.indexOf(letter)] ?? letter).join('')
  return text.replace(trimmed, () => `[${marked}${' ·'.repeat(Math.ceil(trimmed.length / 6))}]`)
}

/** Replaces all text of a page by pseudo-text, now and whenever it changes. */
export function applyPseudoText(page: HTMLElement) {
  const written = new WeakMap<Node, string>()
  const turnText = (node: Text) => {
    if (written.get(node) === node.data) return
    const words = toPseudoText(node.data)
    written.set(node, words)
    if (words !== node.data) node.data = words
  }
  const turnAttributes = (one: Element) => {
    for (const name of ATTRIBUTES) {
      const value = one.getAttribute(name)
      if (value && !value.startsWith('[')) one.setAttribute(name, toPseudoText(value))
    }
  }
  function turn(node: Node) {
    if (node instanceof Text) return turnText(node)
    if (!(node instanceof Element) || node.matches('script, style')) return
    turnAttributes(node)
    for (const child of node.childNodes) turn(child)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) for (const node of type === 'childList' ? addedNodes : [target]) turn(node)
  }).observe(page, { subtree: true, childList: true, characterData: true, attributeFilter: ATTRIBUTES })
  turn(page)
}
