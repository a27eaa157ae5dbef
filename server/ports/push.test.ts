import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { createPush, encryptPush, isAllowedEndpoint } from './push.ts'

const now = new Date('2026-03-02T09:00:00Z')
const target = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const services = ['fcm.googleapis.com', '*.push.apple.com']

function open(respond: () => Promise<Response>) {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(respond)
  const push = createPush({ key: new Uint8Array(32).fill(7), contact: 'help@example.com', services, fetch: fetch as never })
  const send = (endpoint = target.endpoint) =>
    push.send({ target: { ...target, endpoint }, payload: '{"title":"Rex left Home"}', now, secondsToLive: 600, isUrgent: true })
  return { push, fetch, send }
}

const answer = (status: number) => async () => new Response(null, { status })

describe('notifications to push services', () => {
  test("the standard's example message is encrypted as in the standard", () => {
    const sealed = encryptPush('When I grow up, I want to be a watermelon', target, {
      salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
      privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    })
    expect(sealed.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  test('a message has a time to live and is signed for its push service', async () => {
    const { push, fetch, send } = open(answer(201))
    expect(await send()).toBe('sent')
    const [url, init] = fetch.mock.calls[0]!
    const headers = init.headers as Record<string, string>
    expect(url).toBe(target.endpoint)
    expect(init).toMatchObject({ method: 'POST', redirect: 'error' })
    expect(headers).toMatchObject({ ttl: '600', urgency: 'high', 'content-encoding': 'aes128gcm' })
    const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization!) ?? []
    const [head, claims, signature] = token.split('.')
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toEqual({
      aud: 'https://fcm.googleapis.com',
      exp: now.getTime() / 1000 + 43_200,
      sub: 'mailto:help@example.com',
    })
    expect(key).toBe(push.publicKey)
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature!, 'base64url'),
    )
    expect(isSigned).toBe(true)
  })

  test.each([
    [201, 'sent'],
    [404, 'gone'],
    [410, 'gone'],
    [403, 'refused'],
    [429, 'failed'],
    [503, 'failed'],
  ] as const)('the status %i of a push service means %s', async (status, result) => {
    expect(await open(answer(status)).send()).toBe(result)
  })

  test('an unreachable push service is tried again', async () => {
    expect(await open(() => Promise.reject(new TypeError('no route'))).send()).toBe('failed')
  })

  test('an address outside the known push services is never called', async () => {
    const { fetch, send } = open(answer(201))
    expect(await send('https://169.254.169.254/latest/')).toBe('gone')
    expect(fetch).not.toHaveBeenCalled()
  })
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://web.push.apple.com/abc', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/', false],
  ['https://user@fcm.googleapis.com/', false],
  ['https://fcm.googleapis.com.example.net/', false],
  ['https://push.apple.com.evil.example/', false],
  ['https://evilpush.apple.com/', false],
  ['https://localhost/', false],
  ['https://10.0.0.1/', false],
  ['no address', false],
])('%s is recognised as the address of a push service: %s', (endpoint, isAllowed) => {
  expect(isAllowedEndpoint(endpoint, services)).toBe(isAllowed)
})
