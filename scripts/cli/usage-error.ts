/** The arguments make no sense; the message says what would. */
export class UsageError extends Error {}
