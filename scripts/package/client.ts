import { api } from '#contracts/index.ts'
import { type Clients, connect, type Server } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'

export { parseEvents, RequestFailed } from '#contracts/mock/connect.ts'
export type { ScenarioTools } from '#contracts/mock/scenario-tools.ts'
export type { Server }
export type ControlClient = Clients<typeof control>
export type ApiClient = Clients<typeof api>

/** A client of the control plane: `connectControl({ base }).clock.advance({ body: { by: 'P3D' } })`. */
export const connectControl = (server: Server): ControlClient => connect(control, server)

/** A client of the documented API; `world` names the world, `token` signs in. */
export const connectApi = (server: Server): ApiClient => connect(api, server)
