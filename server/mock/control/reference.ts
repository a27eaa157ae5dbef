import * as clock from '#contracts/mock/clock.ts'
import * as downlinks from '#contracts/mock/downlinks.ts'
import * as entities from '#contracts/mock/entities.ts'
import * as faults from '#contracts/mock/faults.ts'
import { control } from '#contracts/mock/index.ts'
import * as mail from '#contracts/mock/mail.ts'
import * as outgoing from '#contracts/mock/outgoing.ts'
import * as payments from '#contracts/mock/payments.ts'
import * as people from '#contracts/mock/people.ts'
import * as requests from '#contracts/mock/requests.ts'
import * as scenarios from '#contracts/mock/scenarios.ts'
import * as sim from '#contracts/mock/sim.ts'
import * as snapshots from '#contracts/mock/snapshots.ts'
import * as worlds from '#contracts/mock/worlds.ts'
import { nameModels } from '#server/http/docs/models.ts'
import { buildOpenApi } from '#server/http/docs/openapi.ts'

const INFO = {
  title: 'Whereabouts control plane',
  version: '1.0.0',
  description: `Worlds, time, mail, money, devices and faults of the mock server; it does not exist in production. A call is about the world that
the header \`X-World\`, the host \`w-<name>.localhost\` or the cookie \`__world\` names, else about \`main\`; an unknown one is refused with 404
\`unknown_world\`. With a control token set, send it as \`Authorization: Bearer …\`: calls without it, and those from pages of other sites, are
refused with 403 \`permission_denied\`. Bodies are JSON.`,
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

nameModels([clock, downlinks, entities, faults, mail, payments, outgoing, people, requests, scenarios, sim, snapshots, worlds])

let built: ReturnType<typeof buildOpenApi> | undefined
/** The document is built once per process: tests start hundreds of servers. */
export const buildReference = () => {
  built ??= buildOpenApi(control, {}, INFO, EXTRA)
  return built
}
