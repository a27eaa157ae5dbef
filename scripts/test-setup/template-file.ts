/** Returns the seeded database that the worlds of tests are cloned from; the set-up of the run builds it (`scripts/test-setup/templates.ts`). */
export function templateFile(): string {
  const file = process.env.TEMPLATE_FILE
  if (!file) throw new Error('The set-up of this run builds no seeded database (scripts/test-setup/pure-tests.ts).')
  return file
}
