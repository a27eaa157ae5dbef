import { lazy as reactLazy } from 'react'
import { isLost, pause, RETRY_PAUSES_MS } from './lost.ts'

/** The browsers' messages for a module that failed to load, and Vite's for its styles. */
const CHUNK = /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload CSS/i

/** True when a chunk failed to load: the network broke, or a new build has replaced it. */
export const isChunkFailure = (error: unknown) => error instanceof Error && CHUNK.test(error.message)

/**
 * Loads a chunk, and again when it got lost on the way. Some browsers never request a module again that failed to load; then the file itself
 * is fetched, so that it is in their cache when the page is reloaded.
 */
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

/** Whether the server answers that it does not have the file. Not every browser names the file. */
async function isGone(error: unknown) {
  const file = /https?:\S+|\/assets\/\S+/.exec(error instanceof Error ? error.message : '')?.[0]
  const answer = file && (await fetch(file).catch(() => null))
  return answer ? !answer.ok : false
}

const preloaded = new WeakMap<() => Promise<unknown>, unknown>()

/** Loads what `lazy` of the same function then renders at once: React holds back for 300 ms what follows a fallback. */
export async function preload(load: () => Promise<unknown>) {
  preloaded.set(load, await load())
}

/** A promise whose value React gets in the same turn. */
// biome-ignore lint/suspicious/noThenProperty: no real promise calls back at once
const settled = <T>(value: T) => ({ then: (use: (value: T) => void) => use(value) }) as Promise<T>

/** React's `lazy`, with chunks that get lost loaded again. */
export const lazy: typeof reactLazy = (load) =>
  reactLazy(() => (preloaded.has(load) ? settled(preloaded.get(load) as Awaited<ReturnType<typeof load>>) : loadChunk(load)))
