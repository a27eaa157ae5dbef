/** Result of a check: the number of files it looked at, an optional remark, and each problem as `file:line what to do`. */
export type Finding = { looked: number; problems: string[]; remark?: string; skipped?: string }

export type Check = () => Finding | Promise<Finding>

/** Path from the project folder -> text. Checks take this map so that tests can plant violations without a disk. */
export type Files = ReadonlyMap<string, string>

/** Adds a problem when a check looked at no file, because then it has proven nothing. */
export const demandFiles = (finding: Finding): Finding =>
  finding.looked > 0 || finding.skipped !== undefined
    ? finding
    : { ...finding, problems: [...finding.problems, 'looked at no file at all: the check or its list of files is wrong'] }

export const pick = (files: Files, passes: (path: string) => boolean): [path: string, text: string][] =>
  [...files].filter(([path]) => passes(path)).sort(([a], [b]) => (a < b ? -1 : 1))
