/** Ends setup; the message says what is wrong and what to do about it. */
export class SetupError extends Error {}

export const say = (text) => console.log(`setup: ${text}`)

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`
