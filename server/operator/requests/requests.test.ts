import { beforeEach, expect, test } from 'vitest'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'
import { signInStaffAs } from '#server/operator/staff/sign-in.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { operateRequests } from './requests.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const [ALICE, DARIO, GEORGE] = ['alice@example.com', 'dario@example.com', 'george@example.com']
const API = '/operator/api/requests/'
const MOTO = { name: 'Moto', kind: 'vehicle', type: 'tracker_02' }

let portal: Portal
let nora: Record<string, string>
beforeEach(async () => {
  portal = await startPortal()
  nora = await signInStaffAs(portal.world, { email: 'nora@shop.example', name: 'Nora King', role: 'support' })
  return () => portal[Symbol.asyncDispose]()
})

const identifierOf = async (id: number) => (await portal.call(ALICE, 'GET', `/devices/${id}/`)).body.identifier as string
const ask = (identifier: string, email = DARIO) =>
  portal.call(email, 'POST', '/devices/trackers/unlink_request/', {
    identifier,
    email,
    reason: 'bought_used',
    message: 'From a flea market',
  })
const decide = (reference: string, deed: 'accept' | 'refuse', body?: object) =>
  portal.call(null, 'POST', `${API}${reference}/${deed}/`, body, nora)
const add = (identifier: string, email: string) => portal.call(email, 'POST', '/devices/trackers/', { ...MOTO, identifier })
const templatesTo = async (email: string) => {
  const mails = (await portal.call(null, 'GET', `/mock/mail?to=${email}`)).body as { template: string }[]
  return mails.map(({ template }) => template)
}

test('support sees who asks for which tracker, and what speaks for the account that has it', async () => {
  const identifier = await identifierOf(SEED.devices.misty)
  const { reference } = (await ask(identifier)).body
  const { requests } = (await portal.call(null, 'GET', `${API}?status=pending`, undefined, nora)).body
  expect(requests.at(-1)).toMatchObject({
    reference,
    status: 'pending',
    requester: { email: DARIO },
    message: 'From a flea market',
    holder: { email: ALICE, proven: true, sub_state: 'active', reported_missing: false },
  })
})

test('an accepted request frees the tracker, mails both sides, and keeps it for a week for the requester', async () => {
  const identifier = await identifierOf(SEED.devices.misty)
  const { reference } = (await ask(identifier)).body
  expect(await decide(reference, 'accept')).toMatchObject({
    status: 200,
    body: { status: 'accepted', decided_by: 'Nora King', holder: null },
  })
  expect(await templatesTo(ALICE)).toContain('tracker_removed')
  expect(await templatesTo(DARIO)).toContain('unlink_accepted')
  for (const other of [ALICE, GEORGE])
    expect(await add(identifier, other)).toMatchObject({ status: 409, body: { code: 'identifier_taken' } })
  expect((await add(identifier, DARIO)).status).toBe(201)
})

test('after a week anybody can add a freed tracker that the requester did not', async () => {
  const identifier = await identifierOf(SEED.devices.misty)
  await decide((await ask(identifier)).body.reference, 'accept')
  portal.clock.set({ at: new Date(portal.clock.now().getTime() + 7 * 86_400_000) })
  expect((await add(identifier, GEORGE)).status).toBe(201)
})

test('a refused request changes no tracker, and the requester gets the reason', async () => {
  const identifier = await identifierOf(SEED.devices.misty)
  const { reference } = (await ask(identifier)).body
  expect(await decide(reference, 'refuse', { reason: '' })).toMatchObject({
    status: 400,
    body: { errors: { reason: [expect.any(String)] } },
  })
  const refusal = 'The other owner showed the invoice.'
  expect(await decide(reference, 'refuse', { reason: refusal })).toMatchObject({ status: 200, body: { status: 'refused', refusal } })
  expect(await templatesTo(DARIO)).toContain('unlink_refused')
  expect((await portal.call(ALICE, 'GET', `/devices/${SEED.devices.misty}/`)).status).toBe(200)
  expect((await ask(identifier)).status).toBe(201)
})

test('a request is decided once, also by two members of staff at the same moment', async () => {
  const { reference } = (await ask(await identifierOf(SEED.devices.misty))).body
  const both = await Promise.all([decide(reference, 'accept'), decide(reference, 'refuse', { reason: 'No' })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(reference, 'accept')).body.code).toBe('already_decided')
})

test('a lost or stolen tracker stays with its owner', async () => {
  const { reference } = (await ask(await identifierOf(SEED.devices.stolenScooter))).body
  expect(await decide(reference, 'accept')).toMatchObject({ status: 409, body: { code: 'reported_missing' } })
})

test('an unknown reference is not found', async () => {
  expect((await decide('UR-999999', 'accept')).status).toBe(404)
})

test('requests are found by number, tracker and who asks, within a state and in both orders; the program prints the same', async () => {
  const { world } = portal
  const [misty, rex] = [await identifierOf(SEED.devices.misty), await identifierOf(SEED.devices.rex)]
  const first: string = (await ask(misty)).body.reference
  const second: string = (await ask(rex, GEORGE)).body.reference
  await decide(second, 'refuse', { reason: 'No' })
  const find = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await portal.call(null, 'GET', `${API}?${new URLSearchParams(query)}`, undefined, nora)
    return body.requests.map(({ reference }: { reference: string }) => reference)
  }
  expect(await find({ search: ` ${first.toLowerCase()} ` })).toEqual([first])
  expect(await find({ search: String(Number(first.replace('UR-', ''))) })).toContain(first)
  expect(await find({ search: misty })).toContain(first)
  expect(await find({ search: misty })).not.toContain(second)
  expect(await find({ search: 'george@' })).toEqual([second])
  expect(await find({ search: 'george@', status: 'pending' })).toEqual([])
  expect(await find({ search: 'nobody@' })).toEqual([])
  expect(await find({ sort: '-date' })).toEqual((await find({})).toReversed())
  expect((await find({ sort: '-date' })).slice(0, 2)).toEqual([second, first])

  const run = async (...args: string[]) => {
    const lines: { reference: string }[] = []
    const isDone = await operateRequests({ ...world, print: (line) => void lines.push(JSON.parse(line)) }, args)
    return isDone && lines.map(({ reference }) => reference)
  }
  expect(await run()).toEqual(await find({}))
  expect(await run('refused', '--search=george@')).toEqual([second])
  expect(await run('decided')).toBe(false)
})
