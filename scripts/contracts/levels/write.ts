import { isRow } from '#scripts/contracts/client/backend.ts'
import type { CleanUp } from '#scripts/contracts/client/clean-up.ts'
import { getEndpoint } from '#scripts/contracts/client/endpoints.ts'
import { evaluateError, evaluateSuccess, isSuccess } from '#scripts/contracts/client/judge.ts'
import type { Run } from '#scripts/contracts/client/run.ts'
import { MAX_PUBLIC_LINKS, type RequestInput } from '#scripts/contracts/port.ts'
import { isAllowed } from './reads.ts'
import { checkLifecycle, createObject, getKind, planObject, removeObject } from './sample-objects.ts'

export async function cleanUpLeftovers(run: Run, cleanUp: CleanUp) {
  for (const objects of cleanUp.pending()) await removeObject(run, cleanUp, objects)
}

/** Creates and removes objects without a trace, repeats values that are already set, and checks the limit of five public links. */
export async function checkWrites(run: Run, cleanUp: CleanUp) {
  for (const kind of ['tags', 'contacts', 'places'] as const)
    if (isPermitted(run, getKind(kind).create)) await checkLifecycle(run, 'write', cleanUp, { kind })
  const tracker = (await run.backend.rows('devices.list'))[0]
  if (tracker) await repeatValue(run, 'trackers.change', { params: { id: tracker.id }, body: { name: tracker.name } })
  const { body: settings } = await run.backend.read('users.settings')
  if (isRow(settings)) await repeatValue(run, 'users.changeSettings', { body: { language: settings.language } })
  if (!isPermitted(run, 'links.create')) return
  const device = tracker?.id
  if (typeof device !== 'number' && typeof device !== 'string')
    return run.skip({ level: 'write', endpoint: getEndpoint('links.create') }, 'devices.list is empty')
  const count = (await run.backend.rows('links.listOf', { params: { id: device } })).length
  if (count < MAX_PUBLIC_LINKS) await checkLifecycle(run, 'write', cleanUp, { kind: 'links', device })
  await checkLinkLimit(run, cleanUp, device, MAX_PUBLIC_LINKS - count)
}

function isPermitted(run: Run, name: string) {
  const endpoint = getEndpoint(name)
  if (!run.isSelected(endpoint.name)) return false
  const missing = run.findMissing(name)
  if (missing) {
    run.skip({ level: 'write', endpoint }, `the backend has no ${missing.name}`)
    return false
  }
  if (isAllowed(endpoint, run.viewer?.role ?? null)) return true
  run.skip({ level: 'write', endpoint }, `not permitted for the role ${run.viewer?.role}`)
  return false
}

async function repeatValue(run: Run, name: string, input: RequestInput) {
  if (!isPermitted(run, name)) return
  const endpoint = getEndpoint(name)
  await run.checkResponse(
    { level: 'write', endpoint, title: 'unchanged' },
    () => run.backend.request(endpoint, input),
    (given) => evaluateSuccess(endpoint.route, given),
  )
}

async function checkLinkLimit(run: Run, cleanUp: CleanUp, device: number | string, free: number) {
  const endpoint = getEndpoint('links.create')
  const objects = Array.from({ length: Math.max(0, free) }, () => planObject(cleanUp, { kind: 'links', device }))
  const sixth = planObject(cleanUp, { kind: 'links', device })
  const evaluateSixth = (response: Parameters<typeof evaluateError>[1]) => evaluateError(endpoint.route, response, 'too_many_links')
  const fill = async () => {
    for (const one of objects) {
      const response = await createObject(run, one)
      if (!isSuccess(response)) return response
    }
    return createObject(run, sixth)
  }
  await run.checkResponse({ level: 'write', endpoint, title: 'a sixth link' }, fill, evaluateSixth)
  for (const one of [...objects, sixth]) await removeObject(run, cleanUp, one)
}
