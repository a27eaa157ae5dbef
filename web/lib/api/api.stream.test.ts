import { describe, expect, test, vi } from 'vitest'
import { api } from '#contracts/index.ts'
import { collectFailures } from '#server/test/collect-failures.ts'
import { type ClientPorts, openStream } from './api.ts'
import { ApiError, readFailure } from './api-error.ts'

function outside(parts: Partial<ClientPorts> = {}) {
  const sent: { url: string; headers: Headers; signal: AbortSignal | null | undefined }[] = []
  const world: ClientPorts = {
    base: 'https://api.test/',
    fetch: async (url, { headers, signal } = {}) => {
      sent.push({ url: String(url), headers: new Headers(headers), signal })
      return new Response('')
    },
    token: () => 'secret',
    cookies: () => 'csrftoken=x',
    log: { failure: vi.fn() },
    onLeave: vi.fn(() => true),
    ...parts,
  }
  const open = (headers?: Record<string, string>) =>
    openStream(api.positions.live, { signal: new AbortController().signal, ...(headers && { headers }) }, world)
  return { world, sent, open }
}

describe('live stream', () => {
  test('the live stream is requested from the API host with the token and accepts events', async () => {
    const { sent, open } = outside()
    await open()
    expect(sent[0]?.url).toBe('https://api.test/devices/live/')
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret')
    expect(sent[0]?.headers.get('accept')).toBe('text/event-stream')
    expect(sent[0]?.headers.has('X-CSRFToken')).toBe(false)
  })

  test('the live stream resumes after the last event', async () => {
    const { sent, open } = outside()
    await open({ 'Last-Event-ID': '41' })
    expect(sent[0]?.headers.get('last-event-id')).toBe('41')
  })

  test('the live stream has no timeout', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await outside().open()
    expect(timeout).not.toHaveBeenCalled()
    timeout.mockRestore()
  })

  test.each([
    ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a 401', async () => new Response('', { status: 401 })],
    ['a 500', async () => new Response('', { status: 500 })],
  ])('%s on the live stream does not redirect the user', async (_, fetch) => {
    const { world, open } = outside({ fetch })
    await open().catch(() => undefined)
    expect(world.onLeave).not.toHaveBeenCalled()
    expect(world.log.failure).not.toHaveBeenCalled()
  })
})

describe('R-8.29 codes', () => {
  test('without a usable body each status has its code', async () => {
    expect(
      await collectFailures(
        [
          [400, 'validation_error'],
          [401, 'not_authenticated'],
          [403, 'permission_denied'],
          [404, 'not_found'],
          [410, 'expired'],
          [413, 'too_large'],
          [423, 'serial_locked'],
          [429, 'throttled'],
          [503, 'unavailable'],
          [500, 'server_error'],
          [418, 'validation_error'],
          [502, 'server_error'],
        ] as const,
        JSON.stringify,
        ([status, code]) => {
          for (const body of [undefined, '', null, [], 'text', { error: 'x' }]) expect(readFailure(status, body)).toEqual({ code })
        },
      ),
    ).toEqual([])
  })

  test('code, fields and extras of our server are read from the body', () => {
    const body = { detail: 'No.', code: 'serial_locked', errors: { serial: ['unknown'] }, remaining_attempts: 2 }
    expect(readFailure(423, body)).toEqual({ code: 'serial_locked', fields: { serial: ['unknown'] }, extras: { remaining_attempts: 2 } })
  })

  test("an error's message names status and code, never the server's text", () => {
    const error = new ApiError(409, { code: 'too_many_links', extras: { detail: 'secret' } })
    expect(error.message).toBe('409 too_many_links')
    expect([error.isLeaving, error.fields]).toEqual([false, {}])
  })
})
