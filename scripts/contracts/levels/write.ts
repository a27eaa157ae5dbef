import type { CallInput } from '#contracts/lib/client.ts'
import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import { isRow } from '#scripts/contracts/client/backend.ts'
import type { CleanUp } from '#scripts/contracts/client/clean-up.ts'
import { callNamed } from '#scripts/contracts/client/endpoints.ts'
import { isSuccess, judge, judgeRefusal } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { isAllowed } from './reads.ts'
import { clean, create, kindOf, makeAndRemove, plan } from './sample-objects.ts'

/** Removes what an earlier run could not. */
export async function cleanLeftOvers(run: Run, cleanUp: CleanUp) {
  for (const made of cleanUp.left()) await clean(run, cleanUp, made)
}

/** Creates and removes objects without a trace, repeats values that are already set, and checks the limit of five public links. */
export async function write(run: Run, cleanUp: CleanUp) {
  for (const kind of ['tags', 'contacts', 'places'] as const)
    if (may(run, kindOf(kind).create)) await makeAndRemove(run, 'write', cleanUp, { kind })
  const tracker = (await run.backend.rows('devices.list'))[0]
  if (tracker) await sayAgain(run, 'trackers.change', { params: { id: tracker.id }, body: { name: tracker.name } })
  const { body: settings } = await run.backend.read('users.settings')
  if (isRow(settings)) await sayAgain(run, 'users.changeSettings', { body: { language: settings.language } })
  if (!may(run, 'links.create')) return
  const device = tracker?.id
  if (typeof device !== 'number') return run.skips({ level: 'write', call: callNamed('links.create') }, 'devices.list holds nothing')
  const count = (await run.backend.rows('links.listOf', { params: { id: device } })).length
  if (count < MAX_PUBLIC_LINKS) await makeAndRemove(run, 'write', cleanUp, { kind: 'links', device })
  await sixthLink(run, cleanUp, device, MAX_PUBLIC_LINKS - count)
}

function may(run: Run, name: string) {
  const call = callNamed(name)
  if (!run.wants(call.name)) return false
  if (isAllowed(call, run.viewer?.role ?? null)) return true
  run.skips({ level: 'write', call }, `not for the role ${run.viewer?.role}`)
  return false
}

/** Sends an update that sets the current value. */
async function sayAgain(run: Run, name: string, input: CallInput) {
  if (!may(run, name)) return
  const call = callNamed(name)
  await run.tries(
    { level: 'write', call, title: 'as it is' },
    () => run.backend.ask(call, input),
    (given) => judge(call.route, given),
  )
}

async function sixthLink(run: Run, cleanUp: CleanUp, device: number, free: number) {
  const call = callNamed('links.create')
  const made = Array.from({ length: Math.max(0, free) }, () => plan(cleanUp, { kind: 'links', device }))
  const sixth = plan(cleanUp, { kind: 'links', device })
  const judgeSixth = (answer: Parameters<typeof judgeRefusal>[1]) => judgeRefusal(call.route, answer, 'too_many_links')
  const fill = async () => {
    for (const one of made) {
      const answer = await create(run, one)
      if (!isSuccess(call.route, answer)) return answer
    }
    return create(run, sixth)
  }
  await run.tries({ level: 'write', call, title: 'a sixth link' }, fill, judgeSixth)
  for (const one of [...made, sixth]) await clean(run, cleanUp, one)
}
