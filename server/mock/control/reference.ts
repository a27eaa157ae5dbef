import { control } from '#contracts/mock/index.ts'
import { buildOpenApi } from '#server/http/docs/openapi.ts'

const INFO = {
  title: 'Whereabouts control plane',
  version: '1.0.0',
  description: `Worlds, time, mail, money, devices and faults of the mock server; it does not exist in production. A call is about the world that
the header \`X-World\`, the host \`w-<name>.localhost\` or the cookie \`__world\` names, else about \`main\`. With a control token set, send it as
\`Authorization: Bearer …\`. Bodies are JSON.`,
}

let built: ReturnType<typeof buildOpenApi> | undefined
/** Built once per process: tests start hundreds of servers. */
export const buildReference = () => {
  built ??= buildOpenApi(control, {}, INFO)
  return built
}
