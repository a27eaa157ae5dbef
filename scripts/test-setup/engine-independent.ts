/**
 * Tests that do not run on PostgreSQL each time, because they send only statements that the other tests of the project `postgres` send too
 * (decision 116). POSTGRES_TESTS=all runs them as well, as CI does.
 */
export const ENGINE_INDEPENDENT = [
  // One statement for every request; what varies is how a message or a file is read. `protocols`, `networks` and `import` write the same rows.
  'server/tracking/all-protocols.test.ts',
  'server/tracking/protocols/apps.test.ts',
  'server/tracking/protocols/devices-doc.test.ts',
  'server/tracking/networks/docs.test.ts',
  'server/tracking/import/docs.test.ts',
  'server/tracking/import/field-files.test.ts',
  'server/tracking/import/hostile.test.ts',
  'server/places/import-csv.test.ts',
  // What it draws, from rows that `theft.handlers` reads.
  'server/theft/theft.present.test.ts',
  // Hundreds of sign-ins with the statements of `sessions.handlers`, `factor-sign-in.handlers` and `recent-sign-in`.
  'server/accounts/sessions/sign-in.test.ts',
]
