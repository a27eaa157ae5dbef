import { vi } from 'vitest'

/**
 * Gives every element a size, which jsdom does not compute, so that virtualized lists render some rows: `visible` is the height inside a
 * scroller, `row` that of a row. Returns a function that reverts it.
 */
export function giveElementsSize({ visible, row }: { visible: number; row: number }) {
  const sizes = [
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(visible),
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(Number.MAX_SAFE_INTEGER),
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(0, -scrolledAbove(this), 0, row)
    }),
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(row),
  ]
  return () => {
    for (const size of sizes) size.mockRestore()
  }
}

const scrolledAbove = ({ parentElement: parent }: Element): number => (parent ? parent.scrollTop + scrolledAbove(parent) : 0)

/** Scrolls an element, with the event that jsdom does not send. */
export function scrollElement(element: Element, top: number) {
  element.scrollTop = top
  element.dispatchEvent(new Event('scroll'))
}
