import type { OutgoingHttpHeaders } from 'node:http'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { findContentType, getSuccess } from '#contracts/lib/route.ts'
import { tokens } from '#db/schema/accounts.ts'
import { limits } from '#scripts/test-setup/limits.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { getPersona } from '#server/mock/seed/records/personas.ts'
import type { World } from '#server/ports/world.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { endpoints } from '#server/test/examples/all.ts'
import { sendExample } from '#server/test/examples/send-example.ts'
import { startPortal } from '#server/test/start-portal.ts'
import { endpointName, signedIn } from './test-endpoints.ts'

/** The sessions of a world by hash, and when each was last proven by a sign-in or a confirmation. */
async function readProofs(world: World) {
  const rows = await world.db.read.select().from(tokens)
  return new Map(rows.map((row) => [row.hash, Math.max(+row.createdAt, +(row.confirmedAt ?? 0))]))
}

/** Makes a session nine minutes old, so that calls which need a recent one still accept it. */
async function signInEarlier(world: World, email: string) {
  const token = await signInAs(world, email)
  const old = { createdAt: new Date(world.clock.now().getTime() - 9 * 60_000), confirmedAt: null }
  const isIt = eq(tokens.hash, sha256(token))
  await world.db.write('everything', (tx) => tx.update(tokens).set(old).where(isIt))
  return token
}

describe('every successful answer', () => {
  const answers = new Map<string, OutgoingHttpHeaders>()
  /** The calls after which a session was proven more recently than all before, and those that began one. */
  const [proving, beginning] = [[] as string[], [] as string[]]
  beforeAll(async () => {
    await using one = await startPortal()
    // What only reads leaves a world as it was.
    const shared = await one.worlds.create({ id: 'read', seed: 1 })
    for (const { name, route } of endpoints) {
      const isShared = route.method === 'GET'
      const world = isShared ? shared : await one.worlds.create({ id: name.replace('.', '-').toLowerCase(), seed: 1 })
      let before = await readProofs(world)
      const signIn = async (key: Parameters<typeof getPersona>[0]) => {
        const token = await signInEarlier(world, getPersona(key).email)
        before = await readProofs(world)
        return token
      }
      const { headers } = await sendExample(one.app, name, signIn, { 'x-world': world.id })
      answers.set(name, headers)
      const newest = Math.max(...before.values())
      for (const [hash, provenAt] of await readProofs(world)) {
        if (!before.has(hash)) beginning.push(name)
        if (provenAt > (before.get(hash) ?? newest)) proving.push(name)
      }
      if (!isShared) world.close()
    }
    // A world for each call takes its time on a busy machine.
  }, 3 * limits.test)
  const headerOf = (name: string, header: string) => String(answers.get(name)?.[header] ?? '')

  test('a response to a signed-in user is stored by no shared cache', async () => {
    const failures = await collectFailures(signedIn, endpointName, ({ name }) => {
      expect(headerOf(name, 'cache-control')).toMatch(/\bno-store\b|^private, no-cache$/)
    })
    expect(failures).toEqual([])
  })

  test('a response cannot be misinterpreted: it has nosniff and the type of its contract, files are attachments', async () => {
    const failures = await collectFailures(endpoints, endpointName, ({ name, route }) => {
      const { status, schema } = getSuccess(route)
      expect(headerOf(name, 'x-content-type-options')).toBe('nosniff')
      const type = findContentType(schema) ?? 'application/json'
      if (status === 204) return
      if (type !== 'application/octet-stream') expect(headerOf(name, 'content-type')).toContain(type)
      const isPage = type === 'application/json' || type === 'text/event-stream'
      if (!isPage) expect(headerOf(name, 'content-disposition')).toMatch(/^attachment; /)
    })
    expect(failures).toEqual([])
  })

  test('only calls that begin, renew or end a session, or set a password, set cookies; each is Lax and HttpOnly, except the CSRF cookie', async () => {
    const cookiesOf = (name: string) => [answers.get(name)?.['set-cookie'] ?? []].flat()
    const setters = endpoints.filter(({ name }) => cookiesOf(name).length > 0).map(({ name }) => name)
    expect(setters.sort()).toEqual([
      'factorSignIn.complete',
      'factorSignIn.passkey',
      'sessions.changePassword',
      'sessions.reset',
      'sessions.signIn',
      'sessions.signOut',
    ])
    for (const cookie of setters.flatMap(cookiesOf)) {
      expect(cookie).toMatch(/; SameSite=Lax/)
      if (!/^csrftoken=|=;/.test(cookie)) expect(cookie).toMatch(/; HttpOnly/)
    }
  })

  test('no call except a full sign-in or a confirmation makes a session recent', () => {
    expect(proving.sort()).toEqual(['factorSignIn.complete', 'factorSignIn.passkey', 'recentSignIn.confirm', 'sessions.signIn'])
    expect(beginning.sort()).toEqual([
      'factorSignIn.complete',
      'factorSignIn.passkey',
      'handOff.redeem',
      'sessions.changePassword',
      'sessions.signIn',
    ])
  })
})
