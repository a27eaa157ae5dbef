/** Roles of an account's users, which decide their rights. */
export const ROLES = ['user', 'pro', 'admin', 'deepsupport'] as const
export type Role = (typeof ROLES)[number]

/**
 * Which roles may do what. A role that may never do it gets 403; an object outside the caller's scope gets 404, because the store's where
 * clause carries the scope (`db/scope.ts`).
 */
export const rights = {
  /**
   * Trackers, their history, csv and theft report: the user's own; for a team member those of the team's list; for support those of all
   * accounts.
   */
  readTrackers: ['user', 'pro', 'admin', 'deepsupport'],
  /** Trackers, modes, links, theft reports, network. */
  changeTrackers: ['user', 'pro', 'admin'],
  /** Adding and removing trackers. A team member sees the trackers of the list but can neither add nor remove any. */
  ownTrackers: ['user', 'admin'],
  /** Places, alerts, contacts and tags of the account; for a team member only those of the team's list. */
  readPlaces: ['user', 'pro', 'admin', 'deepsupport'],
  changePlaces: ['user', 'pro', 'admin'],
  /** Prices, purchases, activation, codes, cards. */
  buy: ['user', 'admin'],
  readOrders: ['user', 'admin', 'deepsupport'],
  manageTeam: ['admin'],
  /** Own profile, password, e-mail and account deletion. */
  ownProfile: ['user', 'pro', 'admin', 'deepsupport'],
  /** A copy of everything about the user and, but for team members, the account. */
  ownData: ['user', 'pro', 'admin'],
  /** Name and e-mail address of the owners of all trackers. */
  readOwners: ['deepsupport'],
  unlockSerial: ['deepsupport'],
} as const satisfies Record<string, readonly Role[]>
