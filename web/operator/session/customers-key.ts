/** All queries about customers: other screens change what they show. */
export const CUSTOMERS_KEY = ['customers'] as const
