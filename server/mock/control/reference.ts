import { control } from '#contracts/mock/index.ts'
import { buildOpenApi } from '#server/http/docs/openapi.ts'

const INFO = {
  title: 'Whereabouts control plane',
  version: '1.0.0',
  description: `Worlds, time, mail, money, devices and faults of the mock server; it does not exist in production. A call is about the world that
the header \`X-World\`, the host \`w-<name>.localhost\` or the cookie \`__world\` names, else about \`main\`. With a control token set, send it as
\`Authorization: Bearer …\`. Bodies are JSON.`,
}

const EXTRA = {
  parameters: {
    World: {
      name: 'X-World',
      in: 'header',
      required: false,
      description: 'The world of the request. Without it, the host or the cookie names one, else it is `main`.',
      schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,39}$' },
    },
  },
  securitySchemes: { control: { type: 'http', scheme: 'bearer', description: 'The CONTROL_TOKEN of the server, if it has one' } },
  security: [{ control: [] }, {}],
}

let built: ReturnType<typeof buildOpenApi> | undefined
/** Built once per process: tests start hundreds of servers. */
export const buildReference = () => {
  built ??= buildOpenApi(control, {}, INFO, EXTRA)
  return built
}
