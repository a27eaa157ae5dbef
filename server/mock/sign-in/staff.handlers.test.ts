import { expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

const CLERK = 'clerk@example.com'

/** The headers of a console request of a member. */
async function signIn(portal: Portal, member: string) {
  const { status, body, headers } = await portal.call(null, 'POST', '/mock/staff/login', { member })
  expect(status).toBe(200)
  const cookie = `${body.cookie.name}=${body.cookie.value}`
  expect(String(headers['set-cookie'])).toContain(cookie)
  return { cookie, 'x-csrftoken': body.csrf_token as string }
}

test('every world has staff, one of each role, who sign in with the password of the personas and a code', async () => {
  await using portal = await startPortal()
  const members = (await portal.call(null, 'GET', '/mock/staff')).body
  expect(members.map(({ key, role }: { key: string; role: string }) => `${key} ${role}`)).toEqual([
    'clerk stock',
    'helper support',
    'cashier finance',
    'manager admin',
  ])
  for (const { email, password, role } of members) {
    const { code } = (await portal.call(null, 'GET', `/mock/second_factor/${email}`)).body
    const answer = await portal.call(null, 'POST', '/operator/api/session/', { email, password, code })
    expect(answer).toMatchObject({ status: 200, body: { staff: { email, role } } })
  }
})

test('the control plane signs staff in without the form, and the session lasts over jumps of the clock', async () => {
  await using portal = await startPortal()
  const clerk = await signIn(portal, 'clerk')
  const read = () => portal.call(null, 'GET', '/operator/api/session/', undefined, clerk)
  expect(await read()).toMatchObject({ status: 200, body: { staff: { email: CLERK, role: 'stock' } } })
  expect((await portal.call(null, 'POST', '/mock/clock/advance', { by: 'P3D' })).status).toBe(200)
  expect((await read()).status).toBe(200)
})

test('a member who was removed cannot be signed in, and the refusal names the others', async () => {
  await using portal = await startPortal()
  const manager = await signIn(portal, 'manager')
  const [{ id }] = (await portal.call(null, 'GET', '/operator/api/staff/', undefined, manager)).body.filter(
    ({ email }: { email: string }) => email === CLERK,
  )
  expect((await portal.call(null, 'DELETE', `/operator/api/staff/${id}/`, undefined, manager)).status).toBe(200)
  const answer = await portal.call(null, 'POST', '/mock/staff/login', { member: 'clerk' })
  expect(answer.status).toBe(400)
  expect(answer.body.errors.member[0]).toContain('helper, cashier, manager')
})

test('what staff do is listed, and can be waited for', async () => {
  await using portal = await startPortal()
  const clerk = await signIn(portal, 'clerk')
  const seen = portal.call(null, 'POST', '/mock/deeds/wait', { kind: 'gateway_made', timeout_ms: 5000 })
  await portal.call(null, 'POST', '/operator/api/gateways/', { label: 'North' }, clerk)
  const { body: deed } = await seen
  expect(deed).toMatchObject({ kind: 'gateway_made', who: 'Clara Clerk', subject: 'North' })
  expect((await portal.call(null, 'GET', '/mock/deeds')).body).toEqual([deed])
  const more = await portal.call(null, 'POST', '/mock/deeds/wait', { after: deed.id, timeout_ms: 1 })
  expect(more).toMatchObject({ body: { code: 'nothing_came' } })
})

test('worlds made from a document have the same staff', async () => {
  await using portal = await startPortal()
  const document = (await portal.call(null, 'GET', '/mock/worlds/main/export')).body
  const made = await portal.call(null, 'POST', '/mock/worlds/import?id=copy', document)
  expect(made.status).toBe(201)
  const members = (await portal.call(null, 'GET', '/mock/staff', undefined, { 'x-world': 'copy' })).body
  expect(members).toHaveLength(4)
})
