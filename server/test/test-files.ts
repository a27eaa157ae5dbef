import path from 'node:path'

/** The instant every test begins at, unless it says otherwise. */
export const ANCHOR = new Date('2026-03-02T09:00:00Z')
/** The seeded database that every test's world is cloned from. */
export const TEMPLATE_FILE = '.cache/template.db'

/** Where the workers of a run build the programs: inside the repository, where packages are found. The end of the run removes it. */
export const programsOf = (run: number) => path.resolve('.cache/test-server', String(run))
