import type { api } from '#contracts/index.ts'
import type { Clients } from './connect.ts'
import type { control } from './index.ts'

/**
 * What the module of a scenario is given, as `export default async ({ world, api }: ScenarioTools) => { … }`: the control plane of a new world,
 * and the documented API, signed in as one of its people.
 */
export type ScenarioTools = {
  world: Clients<typeof control>
  api(persona?: string): Promise<Clients<typeof api>>
}
