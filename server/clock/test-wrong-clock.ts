/**
 * Settings of a process whose clock is wrong by `shift` milliseconds. `outside`: the error of the card provider's clock, which does not
 * respond if omitted.
 */
export const withClock = (shift: number, outside?: number) => ({
  CLOCK_TRUSTED: 'off',
  NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(PRELOAD).toString('base64')}`,
  SHIFT_MS: String(shift),
  ...(outside !== undefined && { OUTSIDE_SHIFT_MS: String(outside) }),
})

const PRELOAD = `
  const { SHIFT_MS, OUTSIDE_SHIFT_MS } = process.env
  const Right = Date
  globalThis.Date = class extends Right {
    constructor(...values) {
      if (values.length > 0) super(...values)
      else super(Right.now() + Number(SHIFT_MS))
    }
    static now() {
      return Right.now() + Number(SHIFT_MS)
    }
  }
  globalThis.fetch = async () => {
    if (OUTSIDE_SHIFT_MS === undefined) throw new Error('no network')
    return new Response(null, { status: 404, headers: { date: new Right(Right.now() + Number(OUTSIDE_SHIFT_MS)).toUTCString() } })
  }
`
