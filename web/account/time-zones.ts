/** Every zone the browser knows, and the one in force should it not be among them. */
export const timeZones = (current: string | null) => {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')
  return current === null || known.includes(current) ? known : [current, ...known]
}
