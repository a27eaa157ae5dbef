import { expect } from 'vitest'
import { DEMO_PASSWORD } from '#server/mock/seed/records/personas.ts'
import { type ReceivedMail, splitParts } from '#server/test/test-smtp.ts'

const ALICE = 'alice@example.com'
const ZOE = 'zoe@example.com'
const NEW_PASSWORD = 'Quiet-Harbour-71'

type Answer = { status: number; body: Record<string, never> & { [name: string]: unknown } }

const createClient =
  (url: string) =>
  async (token: string | null, method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : {} }
  }

type Client = ReturnType<typeof createClient>

const signIn = async (call: Client, username: string, password = DEMO_PASSWORD) => {
  const { status, body } = await call(null, 'POST', '/api/v1/auth/web_get_token/', { username, password })
  return { status, token: String(body.token) }
}

/** Actions before the backup, which it therefore contains. The mail cannot be sent, because there is no mail server yet. */
export async function liveUntilBackup(url: string) {
  const call = createClient(url)
  const { token: alice } = await signIn(call, ALICE)
  const { token: zoe } = await signIn(call, ZOE)
  const newLink = { label: 'Friends', permanent: true, from_beginning: true }
  const link = (await call(alice, 'POST', '/devices/1/public_share_link/', newLink)).body
  const newKey = { label: 'Old phone' }
  const key = (await call(alice, 'POST', '/devices/1/keys/', newKey)).body
  const tokens: { id: string; token: string }[] = []
  for (const label of ['Kept', 'Leaked'])
    tokens.push((await call(zoe, 'POST', '/users/tokens/', { label, scopes: ['trackers:read'] })).body as never)
  expect((await call(null, 'POST', '/users/password_reset/', { email: ALICE })).status).toBe(200)
  return { alice, zoe, link: String(link.uuid), key: Number(key.id) }
}

export type Before = Awaited<ReturnType<typeof liveUntilBackup>>

/** Actions after the backup, which the restore loses. */
export async function liveAfterBackup(url: string, { alice, zoe, link, key }: Before) {
  const call = createClient(url)
  expect((await call(alice, 'DELETE', `/tracker_public_share_links/${link}/`)).status).toBe(200)
  expect((await call(alice, 'DELETE', `/devices/1/keys/${key}/`)).status).toBe(200)
  const passwords = { old_password: DEMO_PASSWORD, new_password: NEW_PASSWORD }
  expect((await call(alice, 'POST', '/users/change_password/', passwords)).status).toBe(200)
  expect((await call(zoe, 'DELETE', '/users/me/?profile=all')).status).toBe(200)
}

/** Kinds of entries after all of the above. */
export const ENDED = ['device_key', 'password', 'public_link', 'user']

/** Assertions about the state after the restore. `taken`: the mails sent since. */
export async function findNothingBack(url: string, { alice, zoe, link }: Before, taken: readonly ReceivedMail[]) {
  const call = createClient(url)
  expect((await call(alice, 'GET', '/users/me/')).status).toBe(401)
  expect((await call(zoe, 'GET', '/users/me/')).status).toBe(401)
  expect((await call(null, 'GET', `/tracker_public_share_links/${link}/`)).status).toBe(404)
  expect((await signIn(call, ZOE)).status, 'an erased user').toBe(401)
  expect((await signIn(call, ALICE)).status, 'a password that was changed').toBe(401)

  await call(null, 'POST', '/users/password_reset/', { email: ALICE })
  // The jobs of the seeds, which are months old, send mail too.
  const listResets = () => taken.flatMap((mail) => /reset_password&key=([\w-]+)/.exec(splitParts(mail).get('text/plain')!)?.[1] ?? [])
  await expect.poll(listResets, { timeout: 60_000 }).toHaveLength(1)
  const [key] = listResets()
  expect((await call(null, 'POST', '/users/password_reset/confirm/', { key, new_password: NEW_PASSWORD })).status).toBe(200)
  const again = await signIn(call, ALICE, NEW_PASSWORD)
  const keys = (await call(again.token, 'GET', '/devices/1/keys/')).body as unknown as { label: string }[]
  expect(keys.map(({ label }) => label)).not.toContain('Old phone')
  expect(listResets()).toEqual([key])
}
