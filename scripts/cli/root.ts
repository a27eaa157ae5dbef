import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this repository, wherever a command is typed. */
export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
