import { HAND_OFF_MINUTES } from '#contracts/accounts/hand-off.ts'
import { MINUTE_MS } from '#contracts/rules/time.ts'
import { createHandOff } from '#server/accounts/sessions/hand-off.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { MockWorld } from '#server/mock/worlds/world.ts'

/**
 * Returns the address with a code that signs in with the rights of the token's session, so that the token itself is never part of an
 * address. In a world whose clock runs fast the code stays valid as long in real time, for people at a keyboard.
 */
export async function addHandOff(world: MockWorld, token: string, address: string) {
  const { rate } = world.clock.state()
  const { code } = await createHandOff(world, sha256(token), HAND_OFF_MINUTES * MINUTE_MS * Math.max(1, rate))
  const url = new URL(address, world.origin)
  url.searchParams.set('hand_off', code)
  return url
}
