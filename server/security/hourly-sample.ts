import { HOUR_MS } from '#contracts/rules/time.ts'

/**
 * Lets each key through once an hour, and at most `most` keys in an hour, so that a flood of refused calls fills neither memory nor a log.
 * A clock that is set back begins a new hour.
 */
export class HourlySample {
  readonly #keys = new Set<string>()
  readonly #most: number
  #began = Number.NEGATIVE_INFINITY

  constructor(most: number) {
    this.#most = most
  }

  take(key: string, now: Date) {
    const age = now.getTime() - this.#began
    if (age < 0 || age >= HOUR_MS) {
      this.#keys.clear()
      this.#began = now.getTime()
    }
    if (this.#keys.has(key) || this.#keys.size >= this.#most) return false
    this.#keys.add(key)
    return true
  }

  /** Lets the key through again, because its first use failed. */
  forget(key: string) {
    this.#keys.delete(key)
  }
}
