type TestOptions = {
  /** The commit of `--changed`, by default the newest. */
  changedSince?: string
  /** Whether to record which test calls what, as a run with `--changed` always does. */
  isRecorded?: true
}

/** Reads the options of `npm test`. */
export function readTestOptions(args: readonly string[]): TestOptions {
  const [option, ...others] = args
  if (option === undefined) return {}
  if (option === '--record' && others.length === 0) return { isRecorded: true }
  const [name, ref = 'HEAD', ...rest] = option.split('=')
  if (name !== '--changed' || ref === '' || others.length + rest.length > 0)
    throw new Error('Usage: npm test [-- --record | --changed[=COMMIT]]')
  return { changedSince: ref, isRecorded: true }
}
