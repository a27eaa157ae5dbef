/** The most objects of each kind per account (D-50): far more than people use, so that no program can fill the database. */
export const ACCOUNT_LIMITS = { contacts: 1000, places: 5000, alerts: 1000, tags: 200, apiTokens: 20 } as const

/** Trackers per team member; below the number of parameters a database accepts in one statement. */
export const TEAM_DEVICES_MAX = 10_000
