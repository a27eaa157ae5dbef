/** Packages that a bundle cannot contain: those with native code, and one that serves files of its own folder. */
export const NATIVE_PACKAGES = ['better-sqlite3', 'better-sqlite3-napi', 'sharp', '@node-rs/argon2', '@fastify/swagger-ui']
