import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { formatInstant } from '#contracts/rules/time.ts'
import { serializeWorld } from '#server/mock/worlds/snapshots.store.ts'
import type { Clock } from '#server/ports/clock.ts'
import { systemIds } from '#server/ports/ids.ts'
import { MAX_SHARES, MAX_SHARES_PER_ADDRESS, SHARE_LIFETIME_MS } from './limits.ts'
import type { Visits } from './visits.ts'

const SUFFIX = '.db'
const ID = /^[0-9a-f]{20}$/

export type Shares = ReturnType<typeof openShares>

export function openShares(dir: string, wall: Clock) {
  const owners = new Map<string, string>()
  const fileOf = (id: string) => path.join(dir, `${id}${SUFFIX}`)
  const sharedAt = (id: string) => statSync(fileOf(id)).mtimeMs
  const isExpired = (id: string) => sharedAt(id) + SHARE_LIFETIME_MS <= wall.now().getTime()

  /** Oldest first. */
  const listIds = () =>
    readdirSync(dir)
      .flatMap((name) => (name.endsWith(SUFFIX) ? [name.slice(0, -SUFFIX.length)] : []))
      .sort((a, b) => sharedAt(a) - sharedAt(b))

  function removeShare(id: string) {
    owners.delete(id)
    rmSync(fileOf(id), { force: true })
  }

  /** Makes room for one more copy; an address loses its own before those of others. */
  function makeRoom(address: string) {
    for (const id of listIds()) if (isExpired(id)) removeShare(id)
    const own = listIds().filter((id) => owners.get(id) === address)
    for (const id of findSurplus(own, MAX_SHARES_PER_ADDRESS)) removeShare(id)
    for (const id of findSurplus(listIds(), MAX_SHARES)) removeShare(id)
  }

  return {
    /** Undefined when the copy is expired or unknown. */
    find: (id: string) => (ID.test(id) && existsSync(fileOf(id)) && !isExpired(id) ? { file: fileOf(id) } : undefined),
    add(bytes: Uint8Array, address: string) {
      mkdirSync(dir, { recursive: true })
      makeRoom(address)
      const id = systemIds.token().slice(0, 20)
      writeFileSync(`${fileOf(id)}.part`, bytes)
      renameSync(`${fileOf(id)}.part`, fileOf(id))
      owners.set(id, address)
      return { id, endsAt: new Date(sharedAt(id) + SHARE_LIFETIME_MS) }
    },
  }
}

/** The oldest ids, to remove so that one more fits. */
const findSurplus = (ids: string[], most: number) => ids.slice(0, Math.max(0, ids.length + 1 - most))

/** Mounts the endpoint that saves a copy of the visitor's world and returns its link. */
export const mountShare = (app: FastifyInstance, visits: Visits, shares: Shares) =>
  app.post('/demo/share', async (request, reply) => {
    const world = visits.worlds.get(request.world.id)!
    const { id, endsAt } = shares.add(await serializeWorld(world), visits.addressOf(world.id)!)
    return reply.code(201).send({ url: `${world.origin}/demo/s/${id}`, expires_at: formatInstant(endsAt) })
  })
