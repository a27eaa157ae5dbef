/** The browsers' messages for a module that failed to load, and Vite's for its styles. */
const CHUNK = /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload CSS/i

/** True when a chunk failed to load: the network broke, or a new build has replaced it. */
export const isChunkFailure = (error: unknown) => error instanceof Error && CHUNK.test(error.message)
