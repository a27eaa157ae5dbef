import { build } from 'vite'

/** Builds one production bundle, showing warnings and errors but not the list of chunks. */
export const bundle = (configFile: string) => build({ configFile, logLevel: 'warn', mode: 'production' })
