import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { MOST_SHARES, MOST_SHARES_OF_ADDRESS, SHARED_MS } from './limits.ts'

const SUFFIX = '.db'
const ID = /^[0-9a-f]{20}$/

export type Shares = ReturnType<typeof sharesIn>

/** Stores shared copies of worlds: one file each, with an unguessable name. */
export function sharesIn(dir: string, wall: Clock) {
  const owners = new Map<string, string>()
  const fileOf = (id: string) => path.join(dir, `${id}${SUFFIX}`)
  const sharedAt = (id: string) => statSync(fileOf(id)).mtimeMs
  const isOver = (id: string) => sharedAt(id) + SHARED_MS <= wall.now().getTime()

  /** Oldest first. */
  const ids = () =>
    readdirSync(dir)
      .flatMap((name) => (name.endsWith(SUFFIX) ? [name.slice(0, -SUFFIX.length)] : []))
      .sort((a, b) => sharedAt(a) - sharedAt(b))

  function forget(id: string) {
    owners.delete(id)
    rmSync(fileOf(id), { force: true })
  }

  /** Makes room for one more copy; an address removes its own before those of others. */
  function tidy(address: string) {
    for (const id of ids()) if (isOver(id)) forget(id)
    const own = ids().filter((id) => owners.get(id) === address)
    for (const id of beyond(own, MOST_SHARES_OF_ADDRESS)) forget(id)
    for (const id of beyond(ids(), MOST_SHARES)) forget(id)
  }

  return {
    /** Undefined when the copy is expired or unknown. */
    find: (id: string) => (ID.test(id) && existsSync(fileOf(id)) && !isOver(id) ? { file: fileOf(id) } : undefined),
    add(bytes: Uint8Array, address: string) {
      mkdirSync(dir, { recursive: true })
      tidy(address)
      const id = systemIds.token().slice(0, 20)
      writeFileSync(`${fileOf(id)}.part`, bytes)
      renameSync(`${fileOf(id)}.part`, fileOf(id))
      owners.set(id, address)
      return { id, endsAt: new Date(sharedAt(id) + SHARED_MS) }
    },
  }
}

/** The oldest ids, to be removed so that one more fits. */
const beyond = (ids: string[], most: number) => ids.slice(0, Math.max(0, ids.length + 1 - most))
