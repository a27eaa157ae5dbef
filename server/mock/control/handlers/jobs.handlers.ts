import type { jobs as contract } from '#contracts/mock/jobs.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Handlers } from '#server/http/serve.ts'
import { JOBS, runDue } from '#server/jobs/run-jobs.ts'
import { Failure } from '#server/lib/errors.ts'

export const jobs: Handlers<typeof contract> = {
  list: (_, { db, clock }) =>
    Promise.all(
      JOBS.map(async (job) => {
        const next = await job.next(db.read, clock.now())
        return { name: job.name, due: (await job.due(db.read, clock.now())).length, next: next && formatInstant(next) }
      }),
    ),
  async run({ params }, world) {
    const job = JOBS.find(({ name }) => name === params.name)
    if (!job) throw new Failure('not_found')
    const fired = await runDue(world, world.clock.now(), { jobs: [job] })
    return { fired: fired.map((one) => ({ ...one, at: formatInstant(one.at) })) }
  },
}
