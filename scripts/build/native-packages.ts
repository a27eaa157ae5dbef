/** Packages that a bundle cannot contain, because they have native code. */
export const NATIVE_PACKAGES = ['better-sqlite3', 'better-sqlite3-napi', 'sharp', '@node-rs/argon2']
