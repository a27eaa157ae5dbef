/** The words of the browsers for a module that did not arrive, and Vite's for its styles. */
const CHUNK = /dynamically imported module|Importing a module script failed|error loading dynamically|Unable to preload CSS/i

/** A part of the portal did not load: the network broke, or a new version has replaced it. */
export const isChunkFailure = (error: unknown) => error instanceof Error && CHUNK.test(error.message)
