/** The texts of the company that runs the portal, by the name of their page: `/legal/terms`. */
export const LEGAL_NAMES = ['terms', 'privacy', 'imprint'] as const
export type LegalName = (typeof LEGAL_NAMES)[number]
