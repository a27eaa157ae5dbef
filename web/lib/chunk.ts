import { lazy as reactLazy } from 'react'
import { isLost, pause, RETRY_PAUSES_MS } from './lost.ts'

/** The browsers' messages for a module that failed to load, and ours for its files. */
const CHUNK = /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to load the file/i

/** True when a chunk failed to load: the network broke, or a new build has replaced it. */
export const isChunkFailure = (error: unknown) => error instanceof Error && CHUNK.test(error.message)

/** Loads a chunk, and retries when it got lost. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (const ms of RETRY_PAUSES_MS) {
    try {
      return await load()
    } catch (error) {
      if (!isChunkFailure(error) || !isLost(error) || (await isGone(error))) throw error
      await pause(ms)
    }
  }
  return load()
}

/** Whether the server responds that it does not have the file. Not every browser names the file. */
async function isGone(error: unknown) {
  const file = /https?:\S+|\/assets\/\S+/.exec(error instanceof Error ? error.message : '')?.[0]
  const answer = file && (await fetch(file).catch(() => null))
  return answer ? !answer.ok : false
}

const files = new Map<string, Promise<void>>()

/**
 * Wraps each `import()` of the build (scripts/build/vite-plugins.ts): loads the scripts and styles that the chunk needs, retrying lost
 * ones, before the browser imports it. Browsers never request a module again that failed to load, and a map without its styles measures
 * itself wrong.
 */
export async function importWithFiles<T>(load: () => Promise<T>, needed: string[] = []): Promise<T> {
  try {
    await Promise.all(needed.map(loadFileOnce))
    return await load()
  } catch (error) {
    if (isChunkFailure(error)) window.dispatchEvent(new Event('chunklost'))
    throw error
  }
}

function loadFileOnce(file: string) {
  const loading = files.get(file) ?? loadChunk(() => loadFile(`/${file}`))
  files.set(file, loading)
  loading.catch(() => files.delete(file))
  return loading
}

/** Loads scripts by `fetch`, so that the import finds them in the browser's cache: a failed preload would count as a failed module. */
async function loadFile(file: string) {
  const hasLoaded = await (file.endsWith('.css') ? loadStyle(file) : fetchWhole(file))
  if (!hasLoaded) throw new Error(`Unable to load the file ${file}`)
}

const fetchWhole = (file: string) =>
  fetch(file)
    .then(async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    })
    .catch(() => false)

const loadStyle = (file: string) =>
  new Promise<boolean>((resolve) => {
    // The page itself names the styles of the entry.
    if (document.querySelector(`link[rel=stylesheet][href="${file}"]`)) return resolve(true)
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', crossOrigin: '', href: file })
    link.onload = () => resolve(true)
    link.onerror = () => {
      link.remove()
      resolve(false)
    }
    document.head.append(link)
  })

const preloaded = new WeakMap<() => Promise<unknown>, unknown>()

/** Loads the module that `lazy` with the same function then renders at once: React delays content after a fallback by 300 ms. */
export async function preload(load: () => Promise<unknown>) {
  preloaded.set(load, await load())
}

/** A promise whose value React receives in the same turn. */
// biome-ignore lint/suspicious/noThenProperty: no real promise calls back at once
const settled = <T>(value: T) => ({ then: (use: (value: T) => void) => use(value) }) as Promise<T>

/** React's `lazy`, with retries for lost chunks. */
export const lazy: typeof reactLazy = (load) =>
  reactLazy(() => (preloaded.has(load) ? settled(preloaded.get(load) as Awaited<ReturnType<typeof load>>) : loadChunk(load)))
