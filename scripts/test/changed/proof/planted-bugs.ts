import { type Files, isSource } from '#scripts/check/files.ts'

export type PlantedBug = readonly [code: string, bug: string]

/** The source files that contain a piece of code. */
export const findCode = (code: string, files: Files) =>
  [...files].filter(([path, text]) => isSource(path) && !path.startsWith('scripts/') && text.includes(code))

/** Mistakes that some test finds: a piece of code, which exists once, and what replaces it. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  // Rules.
  ["if (end <= now) return 'past'", "if (end > now) return 'past'"],
  ["if (start && end <= start) return 'before_start'", "if (start && end > start) return 'before_start'"],
  ["millis(endDate) < now.getTime() ? 'ended'", "millis(endDate) > now.getTime() ? 'ended'"],
  ["state === 'active' && endDate === null", "state === 'active' || endDate === null"],
  ['stationarySinceAfter === null && isStationary(', 'stationarySinceAfter !== null && isStationary('],
  ["(type === 'tracker_02' ? BATTERY_RANGE.millivolts", "(type !== 'tracker_02' ? BATTERY_RANGE.millivolts"],
  ['distanceToBorder(point, place) <= 0', 'distanceToBorder(point, place) >= 0'],
  ['startsWith(text) && day <= now', 'startsWith(text) && day >= now'],
  ['now.getTime() - millis(newest) <= FRESH_MS', 'now.getTime() - millis(newest) >= FRESH_MS'],
  ['addDays(text, 0) === text', 'addDays(text, 0) !== text'],
  ['if (first === 0xfe && second === 0xff)', 'if (first === 0xfe && second === 0xfe)'],
  // Values that are made when a module is loaded.
  ['export const MAX_PUBLIC_LINKS = 5', 'export const MAX_PUBLIC_LINKS = 6'],
  ['const PENDING_MINUTES = ', 'const PENDING_MINUTES = 1000 + '],
  // The server.
  ['(devices === undefined) === (tag === undefined)', '(devices === undefined) !== (tag === undefined)'],
  ['if (expiresAt && expiresAt <= now)', 'if (expiresAt && expiresAt > now)'],
  ["if (step === undefined) throw new Failure('invalid_code')", "if (step !== undefined) throw new Failure('invalid_code')"],
  ['current?.passwordHash !== user.passwordHash', 'current?.passwordHash === user.passwordHash'],
  [
    "if (member.passwordHash !== null) throw new Failure('already_active')",
    "if (member.passwordHash === null) throw new Failure('already_active')",
  ],
  ['if (next && (!earliest || next < earliest))', 'if (next && (!earliest || next > earliest))'],
  ['wrongs >= WRONG_PER_TRACKER', 'wrongs > WRONG_PER_TRACKER'],
  ["(identifier === null ? [problem('identifier'", "(identifier !== null ? [problem('identifier'"],
  ['...(address !== undefined && { address }),', '...(address === undefined && { address }),'],
  ["error.statusCode === 400) return 'malformed_json'", "error.statusCode === 401) return 'malformed_json'"],
  // The portal.
  ['new_password === repeat', 'new_password !== repeat'],
  ['if (orders.length === 0)\n', 'if (orders.length !== 0)\n'],
  ["status === 0 || code === 'unreadable'", "status === 1 || code === 'unreadable'"],
  ['cart.options.filter((line) => line.device !== device)', 'cart.options.filter((line) => line.device === device)'],
  ['offered.find((each) => each === local) ?? offered[0]', 'offered.find((each) => each !== local) ?? offered[0]'],
  ['estimateBits(password) >= limit', 'estimateBits(password) < limit'],
  ['end - start <= DAY_MS + HOUR_MS', 'end - start > DAY_MS + HOUR_MS'],
  ["if (config.pending_mode !== null) return 'pending'", "if (config.pending_mode === null) return 'pending'"],
  ["error.status === 409) return t('account.changeEmail.exists')", "error.status === 410) return t('account.changeEmail.exists')"],
]
