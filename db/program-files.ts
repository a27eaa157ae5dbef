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
