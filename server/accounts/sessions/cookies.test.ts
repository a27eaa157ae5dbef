import { describe, expect, test } from 'vitest'
import { startPortal } from '#server/test/start-portal.ts'

type Portal = Awaited<ReturnType<typeof startPortal>>

async function cookiesOf(portal: Portal, headers = {}) {
  const answer = await portal.call(
    null,
    'POST',
    '/api/v1/auth/web_get_token/',
    { username: 'zoe@example.com', password: 'Demo-1234' },
    headers,
  )
  const lines = [answer.headers['set-cookie'] ?? []].flat()
  const values = Object.fromEntries(lines.map((line) => line.split(';')[0]!.split('=') as [string, string]))
  return { lines, token: String(answer.body.token), session: values.sessionid ?? '', csrf: values.csrftoken ?? '' }
}

describe('the cookie session for the host app', () => {
  test('D-08 signing in sets an HttpOnly session and a readable CSRF token', async () => {
    await using portal = await startPortal()
    const { lines, token, session, csrf } = await cookiesOf(portal)
    const [sessionLine, csrfLine] = lines
    expect(session).toBe(token)
    expect(csrf).toMatch(/^[0-9a-f]{40}$/)
    expect(csrf).not.toBe(session)
    for (const line of lines) expect(line).toMatch(/Max-Age=2592000; Path=\/.*SameSite=Lax/)
    expect(sessionLine).toContain('HttpOnly')
    expect(csrfLine).not.toContain('HttpOnly')
  })

  test('D-08 a cookie alone reads', async () => {
    await using portal = await startPortal()
    const { session } = await cookiesOf(portal)
    const answer = await portal.call(null, 'GET', '/users/me/', undefined, { cookie: `sessionid=${session}` })
    expect(answer).toMatchObject({ status: 200, body: { email: 'zoe@example.com' } })
  })

  test('D-08 R-7.25 a cookie alone changes nothing without the matching header', async () => {
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

  test('D-08 with a bearer token the cookies do not matter', async () => {
    await using portal = await startPortal()
    const { token, csrf } = await cookiesOf(portal)
    const headers = { authorization: `Bearer ${token}`, cookie: `sessionid=stale; csrftoken=${csrf}` }
    expect((await portal.call(null, 'PATCH', '/users/settings/', { firstname: 'Zoé' }, headers)).status).toBe(200)
  })

  test('C-17 a GET that changes state refuses the cookie, with the header too', async () => {
    await using portal = await startPortal()
    const { session, csrf } = await cookiesOf(portal)
    const headers = { cookie: `sessionid=${session}; csrftoken=${csrf}`, 'x-csrftoken': csrf }
    const answer = await portal.call(null, 'GET', '/devices/44/activate_subscription/?code=LINK2026', undefined, headers)
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  })
})
