import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Path of a file of the installation, such as `dist/city`. Programs lie in its folder `dist/server` and find their files from any current
 * folder. If the program has no such file next to it, as in tests, the path is relative to the current folder.
 */
export function findProgramFile(name: string, program = process.argv[1] ?? '') {
  const installed = path.resolve(path.dirname(program), '../..', name)
  return existsSync(installed) ? installed : path.resolve(name)
}

/** Whether this program runs from an installed package, which has no npm scripts, instead of a clone. */
const isInstalled = /[\\/]node_modules[\\/]/.test(import.meta.url)

/** Returns the command or sentence for the place where the program runs: a clone, or an installed package. */
export const chooseWording = (inClone: string, inPackage: string) => (isInstalled ? inPackage : inClone)

/** The command line of a server program, without its arguments. */
export const formatProgram = (name: 'backup' | 'move' | 'restore') =>
  chooseWording(`npm run ${name} --`, `node node_modules/whereabouts/dist/server/${name}.js`)
