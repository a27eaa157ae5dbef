import type { ApiToken, apiTokens as contract } from '#contracts/accounts/api-tokens.ts'
import { API_TOKEN_PREFIX, type Scope, TRACKER_SCOPES } from '#contracts/lib/scopes.ts'
import { formatInstant } from '#contracts/rules/time.ts'
import type { Tx } from '#db/db.ts'
import { writeDevices } from '#db/device-changes.ts'
import { listDeviceIds, type Viewer } from '#db/scope.ts'
import type { Handlers } from '#server/http/serve.ts'
import { Failure, invalidField } from '#server/lib/errors.ts'
import { requireRoom } from '#server/lib/limits/account-limit.ts'
import { sha256 } from '#server/lib/secrets.ts'
import { recordEvent } from '#server/security/security-log.ts'
import { deleteNamedTokens, insertApiToken, type ListedToken, listTokens } from './api-tokens.store.ts'

/** Leading digits of a token's hash that identify it: enough to tell one user's tokens apart, and no secret. */
const ID_LENGTH = 16

export const apiTokens: Handlers<typeof contract> = {
  async list(_, { db, clock, viewer }) {
    return (await listTokens(db.read, viewer.userId, clock.now())).map(presentToken)
  },

  async create({ body: { label, scopes, devices, until } }, context) {
    const { db, clock, ids, viewer } = context
    const now = clock.now()
    const expiresAt = until === null ? null : new Date(until)
    if (expiresAt && expiresAt <= now) throw invalidField('until', 'Must be later than now')
    if (devices) requireTrackerScopes(scopes)
    const secret = `${API_TOKEN_PREFIX}${ids.token()}`
    const { userId } = viewer
    const token = { hash: sha256(secret), userId, label, scopes: [...new Set(scopes)], createdAt: now, expiresAt }
    const limit = await writeDevices(db, [`account:${viewer.accountId}`], async (tx) => {
      requireRoom('apiTokens', (await listTokens(tx, userId, now)).length)
      const limit = devices && (await validateDevices(tx, viewer, devices))
      await insertApiToken(tx, token, limit)
      await recordEvent(tx, context, { kind: 'token_added', userId, about: label })
      return limit
    })
    const row = { ...token, isLimited: limit !== null, lastUsedAt: null }
    return { ...presentToken({ token: row, devices: limit ?? [] }), token: secret }
  },

  async remove({ params }, context) {
    const { userId } = context.viewer
    await writeDevices(context.db, [`account:${context.viewer.accountId}`], async (tx) => {
      const rows = await deleteNamedTokens(tx, userId, params.id)
      for (const { label } of rows) await recordEvent(tx, context, { kind: 'token_removed', userId, about: label })
      if (rows.length === 0) throw new Failure('not_found')
      context.live.endSessions(tx, rows)
    })
    return { id: params.id }
  },
}

function requireTrackerScopes(scopes: readonly Scope[]) {
  const wide = scopes.filter((scope) => !TRACKER_SCOPES.includes(scope))
  if (wide.length > 0) throw invalidField('devices', `Not with ${wide.join(', ')}, which concern the whole account`)
}

/** Returns the ids sorted and without duplicates. Throws when one is not a tracker of the viewer. */
async function validateDevices(tx: Tx, viewer: Viewer, ids: number[]) {
  const own = new Set(await listDeviceIds(tx, viewer))
  if (ids.some((id) => !own.has(id))) throw invalidField('devices', 'Not a tracker of yours')
  return [...new Set(ids)].sort((a, b) => a - b)
}

const presentToken = ({ token, devices }: ListedToken): ApiToken => ({
  id: token.hash.slice(0, ID_LENGTH),
  label: token.label,
  scopes: token.scopes,
  devices: token.isLimited ? devices : null,
  created_at: formatInstant(token.createdAt),
  until: token.expiresAt && formatInstant(token.expiresAt),
  last_used_at: token.lastUsedAt && formatInstant(token.lastUsedAt),
})
