import type { api } from '#contracts/index.ts'
import type { Clients } from './connect.ts'
import type { control } from './index.ts'

/**
 * The argument of a scenario's module, `export default async ({ world, api }: ScenarioTools) => { … }`: the control plane of a new world,
 * and the documented API, signed in as one of its users.
 */
export type ScenarioTools = {
  world: Clients<typeof control>
  api(persona?: string): Promise<Clients<typeof api>>
}
