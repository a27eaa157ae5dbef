type Holder = Record<string, unknown>
type Changes = { set?: Record<string, unknown> | undefined; remove?: readonly string[] | undefined }

/** Sets and removes values in JSON by path. Paths that match nothing are ignored, and inherited properties are never touched. */
export function editJson(json: string, { set = {}, remove = [] }: Changes) {
  const body: unknown = JSON.parse(json)
  for (const [path, value] of Object.entries(set))
    visitPath(body, path.split('.'), (holder, key) => Object.assign(holder, { [key]: value }))
  for (const path of remove) visitPath(body, path.split('.'), (holder, key) => Reflect.deleteProperty(holder, key))
  return JSON.stringify(body)
}

function visitPath(value: unknown, [key = '', ...rest]: string[], change: (holder: Holder, key: string) => void) {
  if (!isHolder(value)) return
  for (const name of key === '*' ? Object.keys(value) : [key]) {
    if (name === '__proto__') continue
    if (rest.length === 0) change(value, name)
    else if (Object.hasOwn(value, name)) visitPath(value[name], rest, change)
  }
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null
