import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this repository, whatever the current directory is. */
export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
