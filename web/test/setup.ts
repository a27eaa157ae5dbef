import path from 'node:path'
import '@testing-library/jest-dom/vitest'
import * as React from 'react'
import type { createBrowserRouter } from 'react-router-dom'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { limits } from '#scripts/test-setup/limits.ts'
import type { DeviationReport } from '#web/lib/other-backends/tolerance.ts'
import { forgiven } from './habits.ts'
import { lastPage } from './last-page.ts'

/**
 * After a placeholder React waits until 300 ms have passed before it shows what has loaded, unless a test wraps the load in `act`: more than
 * half of the time of a screen's test. React keeps the timer that it finds when it is loaded, for this wait and for animation frames.
 */
const { setTimeout } = globalThis
globalThis.setTimeout = ((work: () => void) => setTimeout(work)) as typeof setTimeout
await import('react-dom/client')
globalThis.setTimeout = setTimeout
const { cleanup, configure, prettyDOM } = await import('@testing-library/react')

const PORTAL = `${path.resolve('web').replaceAll(path.sep, '/')}/`

configure({
  asyncUtilTimeout: limits.element,
  // Not the whole document at each of the many attempts of a `find`; a failed test prints it once, at its end.
  getElementError: (message) => new Error(message ?? ''),
})

/** React captures a stack trace for each element, to name its owner in warnings: a sixth of the time of a screen's test. */
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set() {} })

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
  configurable: true,
  get(this: { _bytes: Uint8Array }) {
    return this._bytes
  },
})

/**
 * Tests load no style sheets, so only an element's own attributes count. jsdom would match every rule of its own sheet against every
 * ancestor, which was a third of the time of a screen's test.
 */
const isNotDrawn = (element: Element) =>
  element.matches('[hidden], dialog:not([open]), script, style, template, head, noscript, details:not([open]) > :not(summary)')
const styles = new WeakMap<Element, CSSStyleDeclaration>()
const readStyle = (element: Element) => {
  const own = (element as HTMLElement).style
  return new Proxy(own, {
    get(target, name) {
      if (name === 'display') return target.display || (isNotDrawn(element) ? 'none' : 'block')
      if (name === 'visibility') return findVisibility(element)
      if (name === 'getPropertyValue') return (property: string) => target.getPropertyValue(property)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
const findVisibility = (element: Element | null): string =>
  element ? (element as HTMLElement).style?.visibility || findVisibility(element.parentElement) : 'visible'
window.getComputedStyle = (element) => {
  const known = styles.get(element) ?? readStyle(element)
  styles.set(element, known)
  return known
}

// Newer browsers return a promise, which React must not get as the cleanup of an effect or a reference.
Element.prototype.scrollIntoView = () => Promise.resolve() as unknown as undefined
window.scrollTo = () => {}
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true
}
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false
  this.dispatchEvent(new Event('close'))
}

window.addEventListener('whereabouts:deviations', (event) => forgiven.push(...(event as CustomEvent<DeviationReport[]>).detail))

/** Routers of earlier tests. Otherwise each would continue to follow the window's history and to move the focus. */
const routers = new Set<ReturnType<typeof createBrowserRouter>>()
vi.mock('react-router-dom', async (load) => {
  const original = await load<typeof import('react-router-dom')>()
  const createBrowserRouter: typeof original.createBrowserRouter = (...parts) => {
    const router = original.createBrowserRouter(...parts)
    routers.add(router)
    return router
  }
  return { ...original, createBrowserRouter }
})

function disposeRouters() {
  for (const router of routers) {
    router.dispose()
    router.navigate = () => Promise.resolve()
  }
  routers.clear()
}

afterEach(({ task }) => {
  // biome-ignore lint/suspicious/noConsole: shown for failed tests only
  if (task.result?.state === 'fail') console.log(prettyDOM(lastPage.body ?? document.body, 20_000, { highlight: false }))
  lastPage.body = null
  cleanup()
  disposeRouters()
  localStorage.clear()
  sessionStorage.clear()
  expect(forgiven.splice(0), 'responses that break the contract').toEqual([])
})

/** Test files of a worker share the window, so the listeners a file adds are removed at its end. */
const listeners: Parameters<typeof window.addEventListener>[] = []
const listen = window.addEventListener.bind(window)
window.addEventListener = (...listening: Parameters<typeof window.addEventListener>) => {
  listeners.push(listening)
  listen(...listening)
}
globalThis.addEventListener = window.addEventListener

afterAll(async () => {
  await vi.dynamicImportSettled()
  window.addEventListener = listen
  for (const [type, listener, options] of listeners) window.removeEventListener(type, listener, options)
  document.body.replaceChildren()
  document.documentElement.removeAttribute('data-offline')
  resetPortal()
})

type LoadedModule = { promise?: unknown; exports?: unknown; evaluated?: boolean; importers: Set<string> }
const worker = Reflect.get(globalThis, '__vitest_worker__') as { evaluatedModules: { idToModuleMap: Map<string, LoadedModule> } }

/**
 * Like `vi.resetModules()`, for the modules of the portal only: the next file loads them again, with fresh state. Packages, contract and
 * server stay loaded, as for the tests of the API.
 */
function resetPortal() {
  const modules = [...worker.evaluatedModules.idToModuleMap].filter(([id]) => id.startsWith(PORTAL))
  if (modules.length === 0) throw new Error('No module of the portal is loaded.')
  for (const [, module] of modules) {
    Object.assign(module, { promise: undefined, exports: undefined, evaluated: false })
    module.importers.clear()
  }
}

/** jsdom has no canvas context; this stub accepts any drawing call. */
const pen: object = new Proxy({}, { get: () => () => pen })
Object.assign(HTMLCanvasElement.prototype, { getContext: () => pen })

/** jsdom has no Path2D either; this one records its lines as lists of points, which tests read. */
function FakePath(this: { lines: [number, number][][] }) {
  this.lines = []
}
FakePath.prototype = {
  moveTo(this: { lines: [number, number][][] }, x: number, y: number) {
    this.lines.push([[x, y]])
  },
  lineTo(this: { lines: [number, number][][] }, x: number, y: number) {
    this.lines.at(-1)?.push([x, y])
  },
}
Object.assign(globalThis, { Path2D: FakePath })
