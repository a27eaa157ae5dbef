import type { Role } from './constants.ts'

/**
 * Who may do what: the table of D-01, one line per line of it. What a role may not even ask is 403; what it may ask but is
 * not its own is 404, because scope stands in the where clause (`db/scope.ts`).
 */
export const rights = {
  /** Trackers, their history, csv and theft form: own; a member those of the team's list; support those of all accounts. */
  readTrackers: ['user', 'pro', 'admin', 'deepsupport'],
  /** Trackers, modes, links, theft reports, network. */
  changeTrackers: ['user', 'pro', 'admin'],
  /** Which trackers the account has: a member of a team has those of the list, and neither brings nor takes any. */
  ownTrackers: ['user', 'admin'],
  /** Places, alerts, contacts and tags: those of the account, for a member as far as the team's list goes. */
  readPlaces: ['user', 'pro', 'admin', 'deepsupport'],
  changePlaces: ['user', 'pro', 'admin'],
  /** Prices, purchases, activation, codes, cards. */
  buy: ['user', 'admin'],
  readOrders: ['user', 'admin', 'deepsupport'],
  manageTeam: ['admin'],
  /** Own profile, password, e-mail and deletion. */
  ownProfile: ['user', 'pro', 'admin', 'deepsupport'],
  unlockSerial: ['deepsupport'],
} as const satisfies Record<string, readonly Role[]>
