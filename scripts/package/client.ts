import { api } from '#contracts/index.ts'
import { type Clients, connect, type Server } from '#contracts/mock/connect.ts'
import { control } from '#contracts/mock/index.ts'

export { parseEvents, RequestFailed } from '#contracts/mock/connect.ts'
export type { ScenarioTools } from '#contracts/mock/scenario-tools.ts'
export type { Server }
export type ControlClient = Clients<typeof control>
export type ApiClient = Clients<typeof api>

/** A client of the control plane, by the server's address alone or with a world: `connectControl({ base }).clock.advance({ body: { by: 'P3D' } })`. */
export const connectControl = (server: Server | string): ControlClient => connect(control, toServer(server))

/** A client of the documented API; `world` names the world, `token` signs in. */
export const connectApi = (server: Server | string): ApiClient => connect(api, toServer(server))

function toServer(server: Server | string): Server {
  const named = typeof server === 'string' ? { base: server } : server
  if (typeof named?.base !== 'string')
    throw new TypeError(`The address of the server is missing, such as { base: 'http://localhost:8080' }`)
  return named
}
