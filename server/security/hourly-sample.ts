import { HOUR_MS } from '#contracts/rules/time.ts'

/**
 * Admits each key once an hour, and at most `most` keys in an hour, so that a flood of rejected calls fills neither memory nor a log. A
 * clock that is set back begins a new hour.
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

  /** Admits the key again, because its first use failed. */
  forget(key: string) {
    this.#keys.delete(key)
  }
}
