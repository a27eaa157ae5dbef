/** The effect that the service of an invoice at Stripe was taken back. */
export const serviceEffect = (invoice: string) => `service of ${invoice}`
