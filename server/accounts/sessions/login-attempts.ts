import type { DbReader, Tx } from '#db/db.ts'
import { forgetTriesOf, listTriesOf } from '#db/throttle.ts'
import { sha256 } from '#server/lib/secrets.ts'

/** Failed logins per account and window before the server responds with 429. */
export const LOGIN_ATTEMPTS = { max: 10, windowMinutes: 15 } as const

type Login = { id: number; email: string }

/** Makes earlier wrong passwords and codes of a user no longer count, and lets a new reset link be mailed. */
export async function forgetLoginAttempts(tx: Tx, { id, email }: Login) {
  const account = sha256(email)
  for (const tries of ['login', 'slowed', 'logins', 'reset']) await forgetTriesOf(tx, `${tries}:${account}`)
  await forgetTriesOf(tx, `factor:${id}`)
}

/** The most wrong passwords of a user from one browser or network that count now, and until when that one is refused. */
export async function readLoginAttempts(db: DbReader, { email }: Pick<Login, 'email'>, now: Date) {
  const tries = await listTriesOf(db, `login:${sha256(email)}`, now)
  const locked = tries.filter(({ count }) => count >= LOGIN_ATTEMPTS.max).map(({ resetsAt }) => resetsAt.getTime())
  return {
    wrongPasswords: Math.max(0, ...tries.map(({ count }) => count)),
    lockedUntil: locked.length > 0 ? new Date(Math.max(...locked)) : null,
  }
}
