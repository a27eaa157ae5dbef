import { build } from 'vite'

/** One production bundle by the given Vite configuration; warnings and errors are shown, the list of chunks is not. */
export const bundle = (configFile: string) => build({ configFile, logLevel: 'warn', mode: 'production' })
