import { parseUnits, type Units } from './parse-units.ts'

/** A file before and after; undefined where it did not exist. `path` is the new one, except for a deleted file. */
export type Change = { path: string; oldPath: string; before?: string | undefined; after?: string | undefined }

/** Hashes of `before` that `after` does not have as often. */
export function listGone<T extends { hash: string }>(before: readonly T[], after: readonly T[]) {
  const left = new Map<string, number>()
  for (const { hash } of after) left.set(hash, (left.get(hash) ?? 0) + 1)
  return before.filter(({ hash }) => {
    const count = left.get(hash) ?? 0
    left.set(hash, count - 1)
    return count <= 0
  })
}

/** Scripts of the package are no ground: who runs them names them. */
export const isOtherGround = (change: Change) => {
  if (change.path.endsWith('.ts')) return hasOtherCode(change)
  if (change.path !== 'package.json') return change.before !== change.after
  const read = (text = '{}') => JSON.stringify({ ...JSON.parse(text), scripts: undefined })
  return read(change.before) !== read(change.after)
}

/** Whether more than comments, types and layout changed. */
const hasOtherCode = ({ path, oldPath, before, after }: Change) => {
  if (before === undefined || after === undefined) return true
  const [old, now] = [parseUnits(oldPath, before), parseUnits(path, after)]
  const list = ({ functions, statements, imports }: Units) =>
    JSON.stringify([functions, statements].map((each) => each.map(({ hash }) => hash)).concat(imports.map(({ from }) => [from])))
  return list(old) !== list(now)
}

/** Keys whose words differ, without the endings of plural forms. */
export const listChangedKeys = (before: string, after: string) => {
  const [old, now] = [flatten(JSON.parse(before)), flatten(JSON.parse(after))]
  const keys = [...old.keys(), ...now.keys()].filter((key) => old.get(key) !== now.get(key))
  return new Set(keys.map((key) => key.replace(/_(zero|one|two|few|many|other)$/, '')))
}

const flatten = (value: unknown, key = ''): Map<string, string> =>
  typeof value === 'object' && value !== null
    ? new Map(Object.entries(value).flatMap(([name, each]) => [...flatten(each, key ? `${key}.${name}` : name)]))
    : new Map([[key, String(value)]])

/** Whether a text names a file, or a folder that has it as what a function reads. */
export const createNaming = (path: string) => {
  const parts = path.split('/')
  const name = parts.at(-1)!
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'))
  const names = [
    ...(parts.length > 1 ? [path, parts.slice(-2).join('/')] : []),
    `'${name}'`,
    `'./${name}'`,
    ...folders.flatMap((folder) => [`('${folder}'`, `'${folder}/'`, `\`${folder}/\${`]),
  ]
  return (text: string) => names.some((each) => text.includes(each))
}
