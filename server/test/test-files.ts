import path from 'node:path'

/** The time at which every test starts, unless it says otherwise. */
export const ANCHOR = new Date('2026-03-02T09:00:00Z')

/**
 * Folder where the workers of a test run build the programs: inside the repository, where packages are resolved. Removed at the end of the
 * run.
 */
export const programsFolder = (run: number) => path.resolve('.cache/test-server', String(run))
