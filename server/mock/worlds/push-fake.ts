import { DEVELOPMENT_KEY } from '#server/mock/seed/records/second-factor.ts'
import { createPush, type Push } from '#server/ports/push.ts'

const SETTINGS = { key: DEVELOPMENT_KEY, contact: 'support@example.com' }

/** Accepts every subscription and sends nothing: the notifications of a world are at `/mock/pushes`. */
export const PUSH_FAKE: Push = {
  publicKey: createPush({ ...SETTINGS, services: [] }).publicKey,
  isAllowed: () => true,
  send: async () => 'sent',
}

/** The request that a server with the key of the worlds would send to the push service, with its encrypted body. */
export async function buildPushRequest(message: Parameters<Push['send']>[0]) {
  const requests: { url: string; headers: Record<string, string>; body: string }[] = []
  const { endpoint } = message.target
  const record: typeof fetch = async (_, { headers, body } = {}) => {
    const bytes = Buffer.from(body as Uint8Array)
    requests.push({ url: endpoint, headers: Object.fromEntries(new Headers(headers)), body: bytes.toString('base64') })
    return new Response(null, { status: 201 })
  }
  await createPush({ ...SETTINGS, services: [new URL(endpoint).host], fetch: record }).send(message)
  return requests[0]!
}
