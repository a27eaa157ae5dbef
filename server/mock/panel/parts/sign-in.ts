import type { Desk } from './desk.ts'
import { kept } from './kept.ts'
import { server } from './server.ts'

type Persona = { key: string; token: string }

/** Signs in as a persona and reloads the portal without any state of the previous user. */
export async function signIn(desk: Desk, persona: string) {
  const { storage } = await server.scenarios.login({ body: { persona } })
  sessionStorage.clear()
  localStorage.removeItem('token')
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  kept.persona = persona
  desk.reload(`Signed in as ${persona}`)
}

/** Reloads the portal after the world was replaced; the same persona stays signed in if the new world has it. */
export function stay(desk: Desk, personas: readonly Persona[], said: string) {
  const same = personas.find(({ key }) => key === kept.persona)
  if (same) localStorage.setItem('token', same.token)
  desk.reload(said)
}
