import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, expect } from 'vitest'
import type { DeviationReport } from '#web/lib/api/deviations.ts'

// Generous, because tests are slow on a busy machine.
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

/** Missing in jsdom; and Node's Uint8Array, which the server in process checks buffers against. */
Object.assign(globalThis, {
  matchMedia,
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
  ArrayBuffer: Buffer.alloc(0).buffer.constructor,
  Uint8Array: Object.getPrototypeOf(Buffer),
})

/**
 * For uploads vitest passes the bytes of jsdom's blobs to Node's FormData, and reads them from `_buffer`, which jsdom has renamed to
 * `_bytes`.
 */
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

/** Our own server keeps the contract: a response that the portal had to forgive fails the test, unless the test takes it from here. */
export const forgiven: DeviationReport[] = []
window.addEventListener('whereabouts:deviations', (event) => forgiven.push(...(event as CustomEvent<DeviationReport[]>).detail))

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  expect(forgiven.splice(0), 'responses that break the contract').toEqual([])
})

/** jsdom has no canvas context; this stub accepts any drawing call. */
const pen: object = new Proxy({}, { get: () => () => pen })
Object.assign(HTMLCanvasElement.prototype, { getContext: () => pen })
