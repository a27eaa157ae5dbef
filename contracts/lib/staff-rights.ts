/** Roles of the company's staff, who work in the operator's console. They are no users of the portal. */
export const STAFF_ROLES = ['stock', 'support', 'finance', 'admin'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** Which roles may do what in the console and its API. An administrator may do everything. */
export const staffRights = {
  /** Own session, and the figures of the first page. */
  work: ['stock', 'support', 'finance', 'admin'],
  /** Stock, codes, gateways, shipments. */
  handleStock: ['stock', 'admin'],
  /** Orders and stock items, which support and finance look up too. */
  readStock: ['stock', 'support', 'finance', 'admin'],
  /** Customers with their trackers, subscriptions and requests. */
  readCustomers: ['support', 'finance', 'admin'],
  /** What helps a customer: requests, months, sessions, locks. */
  helpCustomers: ['support', 'admin'],
  /** Invoices, payments and prices. */
  readMoney: ['support', 'finance', 'admin'],
  /** Refunds, prices and exports. */
  handleMoney: ['finance', 'admin'],
  /** Staff, keys, and the log of all deeds. */
  manageStaff: ['admin'],
} as const satisfies Record<string, readonly StaffRole[]>
