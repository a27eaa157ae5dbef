/** What was typed cannot be meant; the message says what can. */
export class UsageError extends Error {}
