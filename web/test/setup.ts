import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 20_000 })

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

const matchMedia = (media: string) => ({
  media,
  matches: false,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
})

/** What jsdom lacks and the portal asks for; and Node's own bytes, by which the server in process knows a buffer. */
Object.assign(globalThis, {
  matchMedia,
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
  ArrayBuffer: Buffer.alloc(0).buffer.constructor,
  Uint8Array: Object.getPrototypeOf(Buffer),
})

/** A file that a page sends: vitest hands its bytes to Node's own form, and asks for them by a name that jsdom has given up. */
const blob: object = new Blob([])
const kept = Object.getOwnPropertySymbols(blob).map((symbol) => Reflect.get(blob, symbol))[0]
Object.defineProperty(Object.getPrototypeOf(kept), '_buffer', {
  get(this: { _bytes: Uint8Array }) {
    return this._bytes
  },
})

Element.prototype.scrollIntoView ??= () => {}
window.scrollTo = () => {}
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

/** jsdom draws nothing: a canvas that takes every stroke. */
const pen: object = new Proxy({}, { get: () => () => pen })
Object.assign(HTMLCanvasElement.prototype, { getContext: () => pen })
