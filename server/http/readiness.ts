import { explainDbFault } from '#db/classify-error.ts'
import type { World } from '#server/ports/world.ts'

/**
 * A dependency of the server: its state in a word, `ok` while it works. Otherwise `reason` is a sentence for the operator. Anybody may read
 * both, so they name no host, no user and no person.
 */
export type Dependency = { name: string; state: string; reason?: string }

/** Rejects or takes longer than a second if its dependency fails. */
export type ReadinessCheck = { name: string; check(world: World): Promise<Dependency> }

const LIMIT_MS = 1000

/** A load balancer sends no requests while one of these is not ok. */
const CHECKS: readonly ReadinessCheck[] = [{ name: 'database', check: checkDatabase }]

/** Returns the state of each dependency, and of `more` of them, all within a second. */
export const checkReadiness = (world: World, more: readonly ReadinessCheck[] = []) =>
  Promise.all([...CHECKS, ...more].map((each) => checkInTime(world, each)))

async function checkInTime(world: World, { name, check }: ReadinessCheck): Promise<Dependency> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Dependency>((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS, { name, state: 'failed', reason: `The ${name} does not answer within a second.` })
  })
  const failed = (error: unknown) => ({ name, state: 'failed', reason: explainDbFault(error) })
  return Promise.race([check(world).catch(failed), limit]).finally(() => clearTimeout(timer))
}

async function checkDatabase({ db }: World): Promise<Dependency> {
  if (await db.isReady()) return { name: 'database', state: 'ok' }
  return { name: 'database', state: 'not ready', reason: 'A migration of this release has not run.' }
}
