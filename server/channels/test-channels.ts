import { expect } from 'vitest'
import type { SentHook } from '#contracts/mock/outgoing.ts'
import { signInAs } from '#server/accounts/sessions/sign-in.ts'
import { publishLowBattery } from '#server/alerts/publish-alerts.ts'
import { startJobsPortal } from '#server/jobs/test-jobs.ts'
import { SEED } from '#server/mock/seed/records/seed-ids.ts'

export const ALICE = 'alice@example.com'
export const ZOE = 'zoe@example.com'
export const WEBHOOK = { kind: 'webhook', label: 'Home server', url: 'https://hooks.example.org/rex' }
export const TELEGRAM = { kind: 'telegram', label: 'Family', token: '123456:AAHrexrexrexrexrexrexrexrexrexrex', chat: '-1001234' }
export const NTFY = { kind: 'ntfy', label: 'Tablet', url: 'https://ntfy.sh/rex-4711', token: 'tk_4711' }

/** A portal in which each user has signed in a moment ago. */
export async function startWithSessions() {
  const portal = await startJobsPortal()
  const sessions = new Map<string, string>()
  const call: typeof portal.call = async (who, method, url, body, headers) => {
    if (who === null) return portal.call(null, method, url, body, headers)
    const token = sessions.get(who) ?? (await signInAs(portal.world, who))
    sessions.set(who, token)
    return portal.call(null, method, url, body, { ...headers, authorization: `Bearer ${token}` })
  }
  return { ...portal, call, [Symbol.asyncDispose]: portal[Symbol.asyncDispose] }
}
export type Portal = Awaited<ReturnType<typeof startWithSessions>>

export const listHooks = async ({ call }: Portal): Promise<SentHook[]> => (await call(null, 'GET', '/mock/hooks')).body
export const newestHook = async (portal: Portal, kind: string) => (await listHooks(portal)).find((hook) => hook.kind === kind)!
export const codeIn = ({ body }: SentHook) => /\b\d{6}\b/.exec(body.replaceAll('\\n', ' '))![0]
export const advance = ({ call }: Portal, by: string) => call(null, 'POST', '/mock/clock/advance', { by })

/** A channel that was started with its code. */
export async function connectChannel(portal: Portal, channel: { kind: string }, who = ALICE) {
  const { body: created } = await portal.call(who, 'POST', '/users/channels/', channel)
  const code = codeIn(await newestHook(portal, channel.kind))
  const { status, body } = await portal.call(who, 'POST', `/users/channels/${created.id}/verify/`, { code })
  expect([status, body.verified_at]).toEqual([200, expect.any(String)])
  return created as { id: number; secret: string | null }
}

/** Rex reports a low battery. */
export async function letBatteryRunLow(portal: Portal, device: number = SEED.devices.rex) {
  const row = await portal.device(device)
  await portal.world.db.write('everything', (tx) => publishLowBattery(tx, row, portal.world.clock.now()))
  await portal.world.receivers?.wake?.()
}
