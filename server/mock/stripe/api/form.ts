export type FormValue = string | FormValue[] | { [name: string]: FormValue }
type Branch = { [name: string]: FormValue }

/** Parses Stripe's form encoding (`items[0][price]=x`) into objects and lists. All values are text. */
export function parseForm(text: string): FormValue {
  const root = createBranch()
  for (const [name, value] of new URLSearchParams(text)) setValue(root, name.replaceAll(']', '').split('['), value)
  return convertLists(root)
}

const createBranch = (): Branch => Object.create(null)

function setValue(into: Branch, [name = '', ...rest]: string[], value: string) {
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const known = into[name]
  const child = known && typeof known === 'object' && !Array.isArray(known) ? known : createBranch()
  into[name] = child
  const [next = ''] = rest
  setValue(child, next === '' ? [String(Object.keys(child).length), ...rest.slice(1)] : rest, value)
}

function convertLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, child]) => [name, convertLists(child)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, child]) => child) : Object.fromEntries(entries)
}
