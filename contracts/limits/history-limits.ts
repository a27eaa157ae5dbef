/** Days per request of a history. Without a schema beside it, so that the script in the page itself can have it. */
export const HISTORY_MAX_DAYS = 366
