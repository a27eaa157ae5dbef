import type { Desk } from './desk.ts'
import { kept } from './kept.ts'
import { server } from './server.ts'

type Persona = { key: string; token: string }

/** The portal goes on as that person, with nothing left over of who was there before. */
export async function signIn(desk: Desk, persona: string) {
  const { storage } = await server.scenarios.login({ body: { persona } })
  sessionStorage.clear()
  localStorage.removeItem('token')
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value)
  kept.persona = persona
  desk.reload(`Signed in as ${persona}`)
}

/** After the world has become another: whoever was signed in here still is, if they are in it. */
export function stay(desk: Desk, personas: readonly Persona[], said: string) {
  const same = personas.find(({ key }) => key === kept.persona)
  if (same) localStorage.setItem('token', same.token)
  desk.reload(said)
}
