import { conflicts, theft } from './conflicts.ts'
import { devices } from './devices.ts'
import { links } from './links.ts'
import { positions } from './positions.ts'
import { sct2 } from './sct2.ts'
import { sessions } from './sessions.ts'
import { subscriptions } from './subscriptions.ts'
import { users } from './users.ts'

/** The whole API: every call of the specification §7 and those added to it. */
export const api = { conflicts, devices, links, positions, sct2, sessions, subscriptions, theft, users }
