import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 5000 })

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
