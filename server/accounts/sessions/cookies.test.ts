import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

async function cookiesOf(portal: Portal, headers = {}) {
  const response = await portal.call(
    null,
    'POST',
    '/api/v1/auth/web_get_token/',
    { username: 'zoe@example.com', password: 'Demo-1234' },
    headers,
  )
  const lines = [response.headers['set-cookie'] ?? []].flat()
  const values = Object.fromEntries(lines.map((line) => line.split(';')[0]!.split('=') as [string, string]))
  return { lines, token: String(response.body.token), session: values.sessionid ?? '', csrf: values.csrftoken ?? '' }
}

describe('the session cookie for the host app', () => {
  test('signing in sets an HttpOnly session cookie and a readable CSRF cookie', async () => {
    await using portal = await startPortal()
    const { lines, token, session, csrf } = await cookiesOf(portal)
    const [sessionLine, csrfLine, browserLine] = lines
    expect(session).toBe(token)
    expect(csrf).toMatch(/^[0-9a-f]{40}$/)
    expect(csrf).not.toBe(session)
    for (const line of [sessionLine, csrfLine]) expect(line).toMatch(/Max-Age=2592000; Path=\/.*SameSite=Lax/)
    expect(sessionLine).toContain('HttpOnly')
    expect(csrfLine).not.toContain('HttpOnly')
    expect(browserLine).toMatch(/^browserid=[0-9a-f]{40}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('a session cookie alone is enough to read', async () => {
    await using portal = await startPortal()
    const { session } = await cookiesOf(portal)
    const response = await portal.call(null, 'GET', '/users/me/', undefined, { cookie: `sessionid=${session}` })
    expect(response).toMatchObject({ status: 200, body: { email: 'zoe@example.com' } })
  })

  test('R-7.25 a session cookie changes nothing without the matching CSRF header', async () => {
    await using portal = await startPortal()
    const { session, csrf } = await cookiesOf(portal)
    const change = (headers: Record<string, string>) => portal.call(null, 'PATCH', '/users/settings/', { firstname: 'Zoé' }, headers)
    const cookie = `sessionid=${session}; csrftoken=${csrf}`
    const refused: Record<string, string>[] = [
      { cookie },
      { cookie, 'x-csrftoken': '' },
      { cookie, 'x-csrftoken': session },
      { cookie: `sessionid=${session}`, 'x-csrftoken': csrf },
    ]
    for (const headers of refused) expect(await change(headers)).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
    expect(await change({ cookie, 'x-csrftoken': csrf })).toMatchObject({ status: 200, body: { firstname: 'Zoé' } })
  })

  test('R-7.25 a CSRF pair of another session, or a made-up one, is refused', async () => {
    await using portal = await startPortal()
    const [{ session }, other] = [await cookiesOf(portal), await cookiesOf(portal)]
    for (const csrf of [other.csrf, 'a'.repeat(40)]) {
      const headers = { cookie: `sessionid=${session}; csrftoken=${csrf}`, 'x-csrftoken': csrf }
      const response = await portal.call(null, 'PATCH', '/users/settings/', { firstname: 'Zoé' }, headers)
      expect(response).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
    }
  })

  test('cookies are https-only if the portal has such an origin, whatever the proxy says', async () => {
    await using portal = await startPortal()
    const areSecure = async () => (await cookiesOf(portal)).lines.map((line) => line.includes('; Secure'))
    expect(await areSecure()).toEqual([false, false, false])
    portal.world.origin = 'https://portal.example'
    expect(await areSecure()).toEqual([true, true, true])
  })

  test('on https the cookie of the browser is bound to the host, and replaces that of an earlier release', async () => {
    await using portal = await startPortal()
    const browserLines = async (headers = {}) => (await cookiesOf(portal, headers)).lines.filter((line) => line.includes('browserid='))
    portal.world.origin = 'https://portal.example'
    const [first] = await browserLines()
    expect(first).toMatch(/^__Host-browserid=[0-9a-f]{40}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const earlier = 'a'.repeat(40)
    const [replaced, expired] = await browserLines({ cookie: `browserid=${earlier}` })
    expect(replaced).toContain(`__Host-browserid=${earlier};`)
    expect(expired).toMatch(/^browserid=; .*Expires=Thu, 01 Jan 1970/)
    const planted = await browserLines({ cookie: `browserid=${'b'.repeat(40)}; __Host-browserid=${earlier}` })
    expect(planted[0]).toContain(`__Host-browserid=${earlier};`)
  })

  test('cookies are ignored when a bearer token is sent', async () => {
    await using portal = await startPortal()
    const { token, csrf } = await cookiesOf(portal)
    const headers = { authorization: `Bearer ${token}`, cookie: `sessionid=stale; csrftoken=${csrf}` }
    expect((await portal.call(null, 'PATCH', '/users/settings/', { firstname: 'Zoé' }, headers)).status).toBe(200)
  })

  test('a GET that changes state refuses the session cookie even with the CSRF header', async () => {
    await using portal = await startPortal()
    const { session, csrf } = await cookiesOf(portal)
    const headers = { cookie: `sessionid=${session}; csrftoken=${csrf}`, 'x-csrftoken': csrf }
    const response = await portal.call(null, 'GET', '/devices/44/activate_subscription/?code=LINK2026', undefined, headers)
    expect(response).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  })
})
