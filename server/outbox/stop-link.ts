import { createHmac } from 'node:crypto'
import type { Language } from '#contracts/lib/languages.ts'
import { isSameSecret } from '#server/lib/secrets.ts'
import type { World } from '#server/ports/world.ts'

/** The purpose of a link that needs no sign-in: to unsubscribe from the alert mails of an account, or to subscribe again. */
export type StopLink = { account: number; email: string } & ({ does: 'stop' } | { does: 'allow'; stoppedAt: number })

type Ports = Pick<World, 'origin' | 'secondFactor'>

/**
 * Nothing is stored for a link: its signature proves that it came from a mail to this address. A link to subscribe again is valid for one
 * opt-out.
 */
const sign = ({ secondFactor }: Pick<World, 'secondFactor'>, link: StopLink) =>
  createHmac('sha256', secondFactor.key)
    .update(JSON.stringify(['mail', link.does, link.account, link.email, link.does === 'allow' ? link.stoppedAt : null]))
    .digest('hex')
    .slice(0, 40)

export const isSigned = (world: Pick<World, 'secondFactor'>, link: StopLink, signature: string) =>
  isSameSecret(sign(world, link), signature)

export const buildStopUrl = (world: Ports, link: StopLink, language: Language) =>
  `${world.origin}/mail/${link.does}/?${new URLSearchParams({
    account: String(link.account),
    to: link.email,
    ...(link.does === 'allow' && { since: String(link.stoppedAt) }),
    language,
    key: sign(world, link),
  })}`
