import type { sessions as contract } from '#contracts/accounts/sessions.ts'
import { CSRF_COOKIE } from '#contracts/lib/requests.ts'
import { TOKEN_DAYS } from '#db/sessions.ts'
import { requireNoFactor } from '#server/accounts/factors/factors.ts'
import { presentUser } from '#server/accounts/users/users.present.ts'
import { countUnread } from '#server/alerts/unread-firings.ts'
import { startOverdueSync } from '#server/billing/sync/sync-customer.ts'
import { SESSION_COOKIE } from '#server/http/access/access.ts'
import { BROWSER_COOKIE } from '#server/http/access/caller.ts'
import { csrfTokenOf } from '#server/http/access/csrf.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { HandlerContext } from '#server/ports/world.ts'
import { KNOWN_BROWSER_DAYS } from '#server/security/known-browsers.ts'
import { endSession } from '#server/security/open-sessions.ts'
import { changePassword, resetPassword, sendPasswordReset } from './passwords.ts'
import { getSignedInUser, openSession, verifyLogin } from './sign-in.ts'

const SECONDS_PER_DAY = 86_400

export const sessions: Handlers<typeof contract> = {
  async signIn({ body }, context) {
    const { user, adminEmail } = await verifyLogin(context, body)
    await requireNoFactor(context, user.id, 'second_factor')
    const opened = await context.db.write([`account:${user.accountId}`], (tx) => openSession(tx, context, user))
    setCookies(context, opened.token, opened.browser)
    await startOverdueSync(context, user.accountId)
    return { user: presentUser(user, adminEmail), token: opened.token }
  },
  async signOut(_, context) {
    await endSession(context, context.session)
    context.cookies.expire(SESSION_COOKIE)
    context.cookies.expire(CSRF_COOKIE)
    context.cookies.clearCache()
    return { ended: 1 }
  },
  async who(_, context) {
    return { username: (await getSignedInUser(context)).username }
  },
  async options(_, context) {
    const { emailConfirmed, role } = await getSignedInUser(context)
    const unread = await countUnread(context)
    return { email_confirmed: emailConfirmed, role, ...(unread > 0 && { unread_alerts: unread }) }
  },
  async requestReset({ body }, context) {
    await sendPasswordReset(context, body.email)
    return { sent: true }
  },
  async reset({ body }, context) {
    const browser = await resetPassword(context, body.key, body.new_password)
    if (browser) setBrowserCookie(context, browser)
    return { status: 'changed' }
  },
  async changePassword({ body }, context) {
    const token = await changePassword(context, { from: body.old_password, to: body.new_password })
    setCookies(context, token)
    return { token }
  },
}

/** Sets the session cookie for a host app that embeds the portal, its CSRF cookie, and the browser's cookie after a sign-in. */
export function setCookies({ cookies }: Pick<HandlerContext, 'cookies'>, token: string, browser?: string) {
  const maxAge = TOKEN_DAYS * SECONDS_PER_DAY
  cookies.set(SESSION_COOKIE, token, { httpOnly: true, maxAge })
  cookies.set(CSRF_COOKIE, csrfTokenOf(token), { httpOnly: false, maxAge })
  if (browser) setBrowserCookie({ cookies }, browser)
}

const setBrowserCookie = ({ cookies }: Pick<HandlerContext, 'cookies'>, browser: string) =>
  cookies.setForHost(BROWSER_COOKIE, browser, { httpOnly: true, maxAge: KNOWN_BROWSER_DAYS * SECONDS_PER_DAY })
