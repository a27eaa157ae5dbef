type Properties = Record<string, string | boolean | ((event: Event) => void)>

/** Creates an element with attributes, event listeners (`onclick`) and children. Text never becomes markup. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: (Node | string)[]) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value)
    else if (value !== false) made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children)
  return made
}
