import type { StreamEvent } from '#contracts/lib/sse.ts'
import { connect, parseEvents } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'
import { panelState } from './panel-state.ts'
import type { TabContext } from './tab.ts'

const RECONNECT_MS = 2000

/** The control plane of this page's world, which is determined by the host or the cookie. */
export const controlPlane = connect(control, { base: location.origin })

export const controlPlaneOf = (world: string) => connect(control, { base: location.origin, world })

/** Subscribes to the world's events until `signal` aborts, and reconnects after a break such as a reset. */
export async function subscribeToEvents(signal: AbortSignal, hear: (event: StreamEvent) => void) {
  while (!signal.aborted) {
    try {
      for await (const event of parseEvents(await controlPlane.events.watch({}, { signal }))) hear(event)
    } catch {
      // The server is unreachable, or the panel was closed.
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}

type Persona = { key: string; token: string }

/** Signs in as a persona and reloads the portal without any state of the previous user. */
export async function signIn(context: TabContext, persona: string) {
  const { storage } = await controlPlane.scenarios.login({ body: { persona } })
  sessionStorage.clear()
  localStorage.removeItem('token')
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  panelState.persona = persona
  context.reload(`Signed in as ${persona}`)
}

/** Opens the operator's console, signed in as a member of staff; an owner stays signed in to the portal. */
export async function openConsole(member: string) {
  await controlPlane.staff.login({ body: { member } })
  location.assign('/operator')
}

/** Reloads the portal after the world was replaced; the same persona stays signed in if the new world has it. */
export function reloadSignedIn(context: TabContext, personas: readonly Persona[], message: string) {
  const same = personas.find(({ key }) => key === panelState.persona)
  if (same) localStorage.setItem('token', same.token)
  context.reload(message)
}
