import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Path of a file of the installation, such as `dist/city`. Programs lie in `dist/server` of it and find their files from any current folder.
 * Where the program has no such file beside it, as in tests, the path is below the current folder.
 */
export function findProgramFile(name: string, program = process.argv[1] ?? '') {
  const installed = path.resolve(path.dirname(program), '../..', name)
  return existsSync(installed) ? installed : path.resolve(name)
}

/** Whether this program runs from an installed package, which has no npm scripts, and not from a clone. */
const isInstalled = /[\\/]node_modules[\\/]/.test(import.meta.url)

/** Returns the command or sentence that fits where the program runs: that of a clone, or that of an installed package. */
export const chooseWording = (inClone: string, inPackage: string) => (isInstalled ? inPackage : inClone)

/** The command line of a program of the server, without its arguments. */
export const formatProgram = (name: 'backup' | 'move' | 'restore') =>
  chooseWording(`npm run ${name} --`, `node node_modules/whereabouts/dist/server/${name}.js`)
