import { MAX_PUBLIC_LINKS } from '#contracts/constants.ts'
import { callNamed } from '#scripts/contracts/calls.ts'
import type { CleanUp } from '#scripts/contracts/clean-up.ts'
import { isSuccess, judgeRefusal } from '#scripts/contracts/judge.ts'
import type { Run } from '#scripts/contracts/run.ts'
import { kindOf } from './kinds.ts'
import { clean, create, makeAndRemove, plan } from './make.ts'
import { isAllowed } from './reads.ts'

/** What a run before this one made and could not remove. */
export async function cleanLeftOvers(run: Run, cleanUp: CleanUp) {
  for (const made of cleanUp.left()) await clean(run, cleanUp, made)
}

/** What can be made and removed without a trace, and that a tracker has five public links at most (spec §5). */
export async function write(run: Run, cleanUp: CleanUp) {
  for (const kind of ['tags', 'contacts', 'places'] as const) if (may(run, kind)) await makeAndRemove(run, 'write', cleanUp, { kind })
  if (!may(run, 'links')) return
  const device = (await run.backend.rows('devices.list'))[0]?.id
  if (typeof device !== 'number') return run.skips({ level: 'write', call: callNamed('links.create') }, 'devices.list holds nothing')
  const count = (await run.backend.rows('links.listOf', { params: { id: device } })).length
  if (count < MAX_PUBLIC_LINKS) await makeAndRemove(run, 'write', cleanUp, { kind: 'links', device })
  await sixthLink(run, cleanUp, device, MAX_PUBLIC_LINKS - count)
}

function may(run: Run, kind: 'tags' | 'contacts' | 'places' | 'links') {
  const call = callNamed(kindOf(kind).create)
  if (!run.wants(call.name)) return false
  if (isAllowed(call, run.viewer?.role ?? null)) return true
  run.skips({ level: 'write', call }, `not for the role ${run.viewer?.role}`)
  return false
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
