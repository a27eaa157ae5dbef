import { expect, test } from 'vitest'
import { isActivationSuccess, isReauthenticated, isSuccess } from './status.ts'

test.each([
  [200, true, true, true],
  [201, true, true, false],
  [202, false, true, false],
  [204, false, true, false],
  [206, false, true, false],
  [300, false, false, false],
  [304, false, false, false],
  [400, false, false, false],
  [401, false, false, false],
  [403, false, false, false],
  [409, false, false, false],
  [500, false, false, false],
  [199, false, false, false],
])(
  'R-5.18 R-5.19 R-5.11 status %i: success %s, of an activation %s, of a re-authentication %s (W-15)',
  (status, success, activation, reauthentication) => {
    expect(isSuccess(status)).toBe(success)
    expect(isActivationSuccess(status)).toBe(activation)
    expect(isReauthenticated(status)).toBe(reauthentication)
  },
)
