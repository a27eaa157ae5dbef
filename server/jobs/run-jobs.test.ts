import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { devices } from '#db/schema/devices.ts'
import { liveEvents } from '#db/schema/positions.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { queryRows, queryValue } from '#server/test/test-database.ts'
import type { Job, Piece } from './job.ts'
import { nextDue, runDue, runJobs } from './run-jobs.ts'
import { due } from './test-due.ts'
import { hours } from './test-jobs.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const job = (name: string, pieces: Piece[]): Job => ({ name, next: async () => null, due: async () => pieces })
const piece = (ref: string, run: Piece['run'] = async () => true): Piece => ({ ref, lock: [], run })
const fail = () => Promise.reject(new Error('broken'))

function logged({ world }: Portal) {
  const told: unknown[] = []
  return { told, world: { ...world, log: { ...world.log, error: (data: object) => void told.push(data) } } }
}

describe('jobs that fail', () => {
  test('a failing item is logged and stops neither its neighbours nor other jobs', async () => {
    await using portal = await startPortal()
    const { told, world } = logged(portal)
    const unreadable: Job = { ...job('unreadable', []), due: fail }
    const jobs = [unreadable, job('one', [piece('a', fail), piece('b')]), job('two', [piece('c')])]
    const fired = await runDue(world, hours(0), { jobs })
    expect(fired).toEqual([
      { at: hours(0), kind: 'one', ref: 'b' },
      { at: hours(0), kind: 'two', ref: 'c' },
    ])
    expect(told).toEqual([
      { err: new Error('broken'), job: 'unreadable' },
      { err: new Error('broken'), job: 'one', ref: 'a' },
    ])
  })

  test('a failing item leaves neither a row nor an event behind', async () => {
    await using portal = await startPortal()
    const { world } = logged(portal)
    world.live.subscribe(() => expect.unreachable('an event of what did not happen'))
    const halfway = piece('a', async (tx) => {
      await tx.update(devices).set({ name: 'Changed' }).where(eq(devices.id, 1))
      return fail()
    })
    expect(await runDue(world, hours(0), { jobs: [job('one', [halfway])] })).toEqual([])
    expect(await world.db.read.$count(devices, eq(devices.name, 'Changed'))).toBe(0)
  })
})

const countMails = ({ world }: Awaited<ReturnType<typeof startPortal>>) =>
  queryValue(world.db, "select count(*) from emails where template in ('subscription_ended', 'network_lost')")

test('an event is published after the commit, not before', async () => {
  await using portal = await startPortal()
  const { db, live } = portal.world
  await db.write('everything', (tx) => due.plant(tx))
  const kept: Promise<boolean>[] = []
  live.subscribe(({ id }) => {
    kept.push(queryRows(db, `select 1 from live_events where id = ${id}`).then((rows) => rows.length === 1))
  })
  await runDue(portal.world, hours(0))
  expect(kept.length).toBe(await db.read.$count(liveEvents))
  expect(new Set(await Promise.all(kept))).toEqual(new Set([true]))
})

test('two simultaneous runs process each item once', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) => due.plant(tx))
  const [one, other] = await Promise.all([runDue(portal.world, hours(0)), runDue(portal.world, hours(0))])
  const refs = [...one, ...other].filter(({ kind }) => kind !== 'clean_up').map(({ kind, ref }) => `${kind} ${ref}`)
  expect(new Set(refs).size).toBe(refs.length)
  expect(await countMails(portal)).toBe(4)
})

test('an item that is no longer due is skipped', async () => {
  await using portal = await startPortal()
  expect(await runDue(portal.world, hours(0), { jobs: [job('one', [piece('a', async () => false)])] })).toEqual([])
})

test('the next instant is the earliest of all jobs', async () => {
  await using portal = await startPortal()
  const at = (instant: Date | null): Job => ({ ...job('x', []), next: async () => instant })
  expect(await nextDue(portal.world, hours(0), [at(null), at(hours(3)), at(hours(2))])).toEqual(hours(2))
  expect(await nextDue(portal.world, hours(0), [at(null)])).toBeNull()
})

test('production runs work that is due at its start', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) => due.plant(tx))
  const jobs = runJobs(portal.world)
  await expect.poll(() => countMails(portal)).toBe(4)
  await jobs.stop()
})

test('other work runs between two items, and stopping waits for one item only', async () => {
  await using portal = await startPortal()
  const done: string[] = []
  let goesOn = true
  const step = (ref: string) =>
    piece(ref, async () => {
      done.push(ref)
      setImmediate(() => {
        done.push('a visitor')
        goesOn = done.length < 4
      })
      return true
    })
  const jobs = [job('long', ['a', 'b', 'c'].map(step))]
  const fired = await runDue(portal.world, hours(0), { jobs, goesOn: () => goesOn })
  expect(done).toEqual(['a', 'a visitor', 'b', 'a visitor'])
  expect(fired.map(({ ref }) => ref)).toEqual(['a', 'b'])
})

test('no job runs while the clock is in doubt', async () => {
  await using portal = await startPortal()
  await portal.world.db.write('everything', (tx) => due.plant(tx))
  const jobs = runJobs(portal.world, () => false)
  await jobs.stop()
  expect(await countMails(portal)).toBe(0)
})
