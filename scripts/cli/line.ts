type Data = Record<string, unknown>

const LINES: Record<string, (data: Data) => unknown[]> = {
  request: ({ method, url, status, duration_ms, user, verdict }) => [
    method,
    url,
    status,
    `${duration_ms} ms`,
    user,
    verdict === 'pass' ? '' : verdict,
  ],
  mail: ({ to, template, subject }) => [to, template, subject],
  webhook: ({ type, state }) => [type, state],
  clock: ({ now, mode, rate }) => [now, mode, rate === 1 ? '' : `x${rate}`],
  contract: ({ method, url, side, path, message }) => [method, url, side, path, message],
  job: ({ name, ref, at }) => [name, ref, at],
}

/** Formats an event as one line for people. */
export function lineOf(type: string, data: Data) {
  const parts = LINES[type]?.(data) ?? [JSON.stringify(data)]
  return `${type.padEnd(8)} ${parts.filter((part) => part !== '' && part !== null && part !== undefined).join('  ')}\n`
}
